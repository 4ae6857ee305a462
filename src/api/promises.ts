/** The two lengths of time of the exchange that the settling of a doubt depends on. */
import { second, type Millis } from '../base/clock.ts';

/** How long a signature is taken: a timestamp further away is refused, both ways. */
export const validity: Millis = 30 * second;

/** What an accepted order may take to show in the lists. */
export const visibility: Millis = 10 * second;
