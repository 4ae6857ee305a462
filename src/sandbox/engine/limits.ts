/** Limits of the interface that the engine enforces. */

/**
 * Maximum open orders of an account on all futures product lines, and separately on spot and
 * margin.
 */
export const openOrdersMax = 400;
