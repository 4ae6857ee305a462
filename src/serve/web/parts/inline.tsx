/** Draws parts of documents: text with marks, facts, tables and lines of a playbook. */
import type { JSX } from 'preact';
import { moreText } from '../../../base/text.ts';
import { moreRows, type Inline } from '../../../report/blocks/block.ts';
import type { Table } from '../../server/shapes.ts';
import { inZone, zoneLabel } from '../zone.ts';
import { now } from '../clock.ts';
import { Copied } from './copy.tsx';
import { More, paged, Pager } from './pager.tsx';
import { State } from './pill.tsx';
import { ClockTime } from './time.tsx';
import { Cards } from './cards.tsx';

const longName = 20; // characters; a digest is shortened

export function Drawn({
  of,
  more,
}: {
  readonly of: Inline;
  /** The address of what a text ends with as `… and 5 more`. */
  readonly more?: string | undefined;
}): JSX.Element | null {
  if (typeof of === 'string') return <Words text={of} more={more} />;
  if ('time' in of) return <ClockTime at={of.time} />;
  if ('code' in of) return <CodeText text={of.code} />;
  if ('digest' in of) return <Digest name={of.digest} />;
  if ('state' in of) return <State state={of.state} />;
  if ('strong' in of) {
    return (
      <b>
        <Drawn of={of.strong} more={more} />
      </b>
    );
  }
  if ('dim' in of) {
    return (
      <span class="dim">
        <Drawn of={of.dim} more={more} />
      </span>
    );
  }
  if ('lines' in of) {
    return (
      <>
        {of.lines.map((line) => (
          <div>
            <Drawn of={line} more={more} />
          </div>
        ))}
      </>
    );
  }
  return (
    <>
      {of.map((part) => (
        <Drawn of={part} more={more} />
      ))}
    </>
  );
}

function Words({
  text,
  more,
}: {
  readonly text: string;
  readonly more: string | undefined;
}): JSX.Element {
  const [, start = '', rest] = /^(.*… and )(\d+ more)$/s.exec(text) ?? [];
  if (rest === undefined || more === undefined) return <>{inZone(text)}</>;
  return (
    <>
      {inZone(start)}
      <a href={more}>{rest}</a>
    </>
  );
}

const copiedMin = 8; // characters of a name that nobody types

/** An id, a command or a code; what is long enough has a button that copies it. */
function CodeText({ text }: { readonly text: string }): JSX.Element | null {
  if (text === '') return null;
  return text.length < copiedMin ? <code>{text}</code> : <Copied text={text} />;
}

function Digest({ name }: { readonly name: string }): JSX.Element {
  if (name.length <= longName) return <CodeText text={name} />;
  return <Copied text={name} shown={`${name.slice(0, 12)}…`} />;
}

type Facts = readonly (readonly [Inline, Inline])[];

/** Facts in a row, below a title. */
export function FactRow({ facts }: { readonly facts: Facts }): JSX.Element {
  return (
    <ul class="facts">
      {facts.map(([name, value]) => (
        <li>
          <span class="dim">
            <Drawn of={name} />
          </span>{' '}
          <Drawn of={value} />
        </li>
      ))}
    </ul>
  );
}

export function FactList({ facts }: { readonly facts: Facts }): JSX.Element {
  return (
    <dl class="definitions">
      {facts.map(([name, value]) => (
        <div>
          <dt>
            <Drawn of={name} />
          </dt>
          <dd>
            <Drawn of={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A table that can be focused, because a wide one scrolls. */
export function DataTable({
  table,
  name,
  length,
  more,
}: {
  readonly table: Table;
  readonly name: string;
  /** The number of rows of a page; default: as of a list that has the page for itself. */
  readonly length?: number;
  /** The address of what a cell does not name. */
  readonly more?: string | undefined;
}): JSX.Element {
  const { columns, rows, left, rest, paging } = table;
  const { shown, pager } = paged(rows, name.toLowerCase(), length);
  return (
    <>
      <Cards
        name={`${name}, table`}
        kind="data"
        columns={columns.map((column, at) => ({
          name: titleOf(column.name),
          isNumber: column.isNumber === true,
          kind: (row: Table['rows'][number]) => classOf(column, row[at]),
          cell: (row: Table['rows'][number]) =>
            row[at] !== undefined && <Drawn of={row[at]} more={more} />,
        }))}
        rows={shown}
      />
      {pager}
      {left > 0 && paging !== undefined && paging.page < paging.pages ? (
        <More text={moreText(left, 'row')} query={{ page: String(paging.page + 1) }} />
      ) : (
        left > 0 && (
          <p class="dim">
            <Drawn of={moreRows(left, rest)} />
          </p>
        )
      )}
      {paging !== undefined && <Pager {...paging} />}
    </>
  );
}

/** The title of a column; that of times in UTC names the zone of the page. */
function titleOf(name: string): string {
  return name === 'UTC' ? zoneLabel(now.value) : name;
}

const longText = 40; // characters, which need a line of their own on a telephone

function classOf({ wraps, isNumber }: Table['columns'][number], cell: Inline | undefined): string {
  if (isNumber) return '';
  return wraps || (typeof cell === 'string' && cell.length > longText) ? 'wraps' : '';
}

interface CodeLine {
  readonly number: string;
  readonly text: string;
  readonly isMarked: boolean;
}

export function Code({
  lines,
  name,
}: {
  readonly lines: readonly CodeLine[];
  readonly name: string;
}): JSX.Element {
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={name}>
      {lines.map(({ number, text, isMarked }) => (
        <div class={isMarked ? 'marked' : ''}>
          <span class="line-number">{number}</span>
          {isMarked ? <mark>{text}</mark> : text}
          {'\n'}
        </div>
      ))}
    </pre>
  );
}
