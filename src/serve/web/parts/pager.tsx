/** The pages of a list, which the address names, so that going back shows the same. */
import type { JSX } from 'preact';
import { hereWith, query } from '../router.ts';

const pageLength = 30; // rows: so many are still readable on a telephone

/** Links to the page before and after; they go to the begin of the list. */
export function Pager({
  page,
  pages,
  name = 'page',
}: {
  readonly page: number;
  readonly pages: number;
  /** The part of the address that has the number. */
  readonly name?: string;
}): JSX.Element | null {
  if (pages === 1) return null;
  const to = (number: number, words: string, rel: 'prev' | 'next'): JSX.Element => (
    <a
      href={hereWith({ [name]: number === 1 ? '' : String(number) })}
      rel={rel}
      onClick={({ currentTarget }) => {
        const list = currentTarget.closest('.panel');
        requestAnimationFrame(() => list?.scrollIntoView());
      }}
    >
      {words}
    </a>
  );
  return (
    <nav class="pager" aria-label={name === 'page' ? 'Pages' : `Pages of ${name}`}>
      {page > 1 && to(page - 1, 'Previous', 'prev')}
      <span class="dim">
        page {page} of {pages}
      </span>
      {page < pages && to(page + 1, 'Next', 'next')}
    </nav>
  );
}

/** One page of rows that are all here, and its pager. @param name the part of the address that has its number */
export function paged<T>(
  all: readonly T[],
  name = 'page',
  length = pageLength,
): { readonly shown: readonly T[]; readonly pager: JSX.Element } {
  const pages = Math.max(1, Math.ceil(all.length / length));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(query.value.get(name))) || 1));
  return {
    shown: all.slice((page - 1) * length, page * length),
    pager: <Pager page={page} pages={pages} name={name} />,
  };
}

/** A link to what a list does not show. */
export function More({
  text,
  query: other,
}: {
  readonly text: string;
  /** The parts of the address that are different. */
  readonly query: Readonly<Record<string, string>>;
}): JSX.Element {
  return (
    <p class="more">
      <a href={hereWith(other)}>{text}</a>
    </p>
  );
}
