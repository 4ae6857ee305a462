/**
 * Loaded before a program: a timer of five seconds or more never ends, such as the time limit of a
 * request. A process that waits for a response then waits until it is killed, however slow the
 * machine is.
 */
const begin = globalThis.setTimeout;
const never = 2 ** 31 - 1; // the longest timer, some 24 days

globalThis.setTimeout = (work, ms, ...given) => begin(work, ms >= 5_000 ? never : ms, ...given);
