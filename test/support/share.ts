/** How much is tried of what takes minutes: a share in `npm test`, a part in `.ci/run`, all of it in `npm run test:all`. */
import process from 'node:process';

/** Set by `npm run test:all`. */
export const isWhole = process.env['EVERY_CASE'] !== undefined;

/** Set by `.ci/run`: the number of a part, and of how many, such as 2/6. */
const part = partOf(process.env['TEST_PART']);

/** How many are tried: all, a part of all that is not less than the share, or the share. */
export const shareOf = (whole: number, share: number): number =>
  isWhole ? whole : Math.max(share, part ? Math.floor(whole / part.of) : 0);

/** Whether a case is tried: each, one in so many parts, or one of so many. */
export const isTried = (place: number, oneOf: number): boolean => {
  if (isWhole) return true;
  const each = part ? Math.min(oneOf, part.of) : oneOf;
  return place % each === (part ? part.number % each : 0);
};

/** @throws Error for another text than 2/6 */
function partOf(named: string | undefined): { number: number; of: number } | undefined {
  if (named === undefined) return undefined;
  const [, number = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(named) ?? []).map(Number);
  if (number < 1 || number > of)
    throw new Error(`TEST_PART must be a part such as 2/6, not ${named}`);
  return { number, of };
}
