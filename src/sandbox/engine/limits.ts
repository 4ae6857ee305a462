/** Limits of the interface that the engine keeps. */

/** Open orders an account may have on all futures lines, and again on spot and margin. */
export const openOrdersMax = 400;
