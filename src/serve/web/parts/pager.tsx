/** Links to the pages of a list. */
import type { JSX } from 'preact';
import { hereWith } from '../router.ts';

export function Pager({
  page,
  pages,
}: {
  readonly page: number;
  readonly pages: number;
}): JSX.Element | null {
  if (pages === 1) return null;
  const to = (number: number): string => hereWith({ page: number === 1 ? '' : String(number) });
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 && (
        <a href={to(page - 1)} rel="prev">
          Newer
        </a>
      )}
      <span class="dim">
        page {page} of {pages}
      </span>
      {page < pages && (
        <a href={to(page + 1)} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
