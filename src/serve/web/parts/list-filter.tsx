/** The filter of a list that the page has as a whole: words, and values of some columns. */
import type { JSX } from 'preact';
import { query } from '../router.ts';
import { Choice, Filters, Search } from './filter.tsx';
import { Saved } from './saved.tsx';
import { Cards } from './cards.tsx';
import { paged } from './pager.tsx';
import { Empty } from './panel.tsx';

/** A column by whose values a list is filtered. */
export interface Facet<Row> {
  /** The name of the facet in the address. */
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
function matching<Row>(rows: readonly Row[], { facets, textOf }: Filtered<Row>): readonly Row[] {
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

/** A list with its filter: the rows that match it, in pages. */
export function FilteredList<Row>({
  rows,
  by,
  what,
  ...table
}: Omit<Parameters<typeof Cards<Row>>[0], 'kind' | 'rowKind'> & {
  readonly by: Filtered<Row>;
  /** The word for a row: `plan`. */
  readonly what: string;
}): JSX.Element {
  const matched = matching(rows, by);
  const { shown, pager } = paged(matched);
  return (
    <>
      <ListFilter rows={rows} by={by} what={what} />
      {matched.length === 0 ? (
        <Empty text={`No ${what} matches the filter.`} />
      ) : (
        <>
          <Cards {...table} rows={shown} />
          {pager}
        </>
      )}
    </>
  );
}

function ListFilter<Row>({
  rows,
  by: { facets },
  what,
}: {
  readonly rows: readonly Row[];
  readonly by: Filtered<Row>;
  /** The word for a row: `plan`. */
  readonly what: string;
}): JSX.Element {
  return (
    <>
      <Filters>
        <Search
          name="text"
          label={`Filter ${what}s`}
          hint="Filter"
          value={query.value.get('text') ?? ''}
        />
        {facets.map(({ name, label, of }) => {
          const values = [...new Set(rows.flatMap(of))].filter(Boolean).toSorted();
          const value = query.value.get(name) ?? '';
          if (values.length < 2 && value === '') return null;
          return <Choice key={name} name={name} label={label} values={values} value={value} />;
        })}
      </Filters>
      <Saved />
    </>
  );
}
