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
export function pageOf<T>(all: readonly T[], wanted = '1'): PageOf<T> {
  const pages = Math.max(1, Math.ceil(all.length / pageLength));
  const page = Math.min(Number(wanted), pages);
  return { page, pages, shown: all.slice((page - 1) * pageLength, page * pageLength) };
}
