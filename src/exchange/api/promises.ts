/** The two durations promised by the exchange that settling a doubt depends on. */
import { second, type Millis } from '../../base/clock.ts';

/** The validity of a signature: a timestamp further off is refused, in both directions. */
export const validity: Millis = 30 * second;

/** The time in which an accepted order appears in the lists. */
export const visibility: Millis = 10 * second;
