/** How much is tried of what takes minutes: a share in `npm test`, all of it in `npm run test:all` and the turns of `.ci/run`. */
import process from 'node:process';

/** Set by `npm run test:all` and `.ci/run`. */
export const isWhole = process.env['EVERY_CASE'] !== undefined;

export const shareOf = (whole: number, share: number): number => (isWhole ? whole : share);

/** Whether a case is tried: each, or one of so many. */
export const isTried = (place: number, oneOf: number): boolean => isWhole || place % oneOf === 0;
