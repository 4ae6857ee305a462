/** The filter of a list that the page has as a whole: words, and values of some columns. */
import type { JSX } from 'preact';
import { query } from '../router.ts';
import { Choice, want } from './filter.tsx';
import { Saved } from './saved.tsx';

/** A column by whose values a list is filtered. */
export interface Facet<Row> {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  readonly of: (row: Row) => readonly string[];
}

export interface Filtered<Row> {
  readonly facets: readonly Facet<Row>[];
  /** The text in which words are looked for. */
  readonly textOf: (row: Row) => string;
}

/** The rows that match the filter in the address. */
export function matching<Row>(
  rows: readonly Row[],
  { facets, textOf }: Filtered<Row>,
): readonly Row[] {
  const words = (query.value.get('text') ?? '').toLowerCase().split(/\s+/);
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase();
    const isIn = ({ name, of }: Facet<Row>): boolean => {
      const wanted = query.value.get(name) ?? '';
      return wanted === '' || of(row).includes(wanted);
    };
    return words.every((word) => text.includes(word)) && facets.every(isIn);
  });
}

export function ListFilter<Row>({
  rows,
  by: { facets },
  what,
}: {
  readonly rows: readonly Row[];
  readonly by: Filtered<Row>;
  /** What the list has: `plans`. */
  readonly what: string;
}): JSX.Element {
  return (
    <>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          data-filter
          aria-label={`Filter ${what}`}
          placeholder="Filter"
          value={query.value.get('text') ?? ''}
          onInput={({ currentTarget }) => want('text', currentTarget.value)}
        />
        {facets.map(({ name, label, of }) => {
          const values = [...new Set(rows.flatMap(of))].filter(Boolean).toSorted();
          const value = query.value.get(name) ?? '';
          if (values.length < 2 && value === '') return null;
          return <Choice key={name} name={name} label={label} values={values} value={value} />;
        })}
      </form>
      <Saved />
    </>
  );
}
