/** The bound of a run's record: a longer one could not be read again, and would hide the run. */

/** The length from which a run begins nothing new, in characters; the longest text of Node has 512 Mi. */
export const longestRecord = 256 * 2 ** 20;

/** The length from which a record omits what nothing uses, in characters. */
export const longRecord = longestRecord / 4;
