/** One page of a long list. */

const pageLength = 30; // so many are still readable on a telephone

/** @param wanted its number; the last page answers for those after it */
export function pageOf<T>(
  found: readonly T[],
  wanted = '1',
): { readonly page: number; readonly pages: number; readonly shown: readonly T[] } {
  const pages = Math.max(1, Math.ceil(found.length / pageLength));
  const page = Math.min(Number(wanted), pages);
  return { page, pages, shown: found.slice((page - 1) * pageLength, page * pageLength) };
}
