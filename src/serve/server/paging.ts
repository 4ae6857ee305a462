/** Pages of a list: the parameter that chooses one, and the part of the list that it shows. */
import { optional, text } from '../../exchange/api/schema.ts';

/** The parameter of a route that chooses a page. */
export const pageParameter = optional(
  text({ description: 'Default: 1', pattern: '^[1-9][0-9]{0,5}$', maxLength: 6 }),
);

const pageLength = 30; // entries: so many are still readable on a telephone

interface PageOf<T> {
  readonly page: number;
  readonly pages: number;
  readonly shown: readonly T[];
}

/** A page of a list; the last one for a number beyond it. */
export function pageOf<T>(all: readonly T[], wanted?: string): PageOf<T> {
  const { page, pages, from, to } = pageIn(all.length, wanted);
  return { page, pages, shown: all.slice(from, to) };
}

/** The entries of a page of a list with so many; `to` is excluded. */
export function pageIn(
  length: number,
  wanted = '1',
): Omit<PageOf<never>, 'shown'> & { readonly from: number; readonly to: number } {
  const pages = Math.max(1, Math.ceil(length / pageLength));
  const page = Math.min(Number(wanted), pages);
  return { page, pages, from: (page - 1) * pageLength, to: Math.min(page * pageLength, length) };
}
