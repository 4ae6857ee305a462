/** The two durations promised by the exchange that settling a doubt depends on. */
import { second, type Millis } from '../../base/clock.ts';

/** How long a signature is valid: a timestamp further off is refused, in both directions. */
export const validity: Millis = 30 * second;

/** How long an accepted order may take to appear in the lists. */
export const visibility: Millis = 10 * second;
