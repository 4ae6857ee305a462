/** A run beside an earlier one: what differs in its inputs, steps, orders, files and outputs. */
import type { ComponentChildren, JSX } from 'preact';
import { count, spoken } from '../../../base/text.ts';
import { differenceWords, isSlower, partNames } from '../../../report/diff-words.ts';
import type { Answer } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { query, runPath } from '../router.ts';
import { momentText } from '../zone.ts';
import { want } from './filter.tsx';
import { paged } from './pager.tsx';
import { Empty, Failed, Panel } from './panel.tsx';
import { State, Target } from './pill.tsx';
import type { Related } from './related.tsx';
import { At } from './time.tsx';
import { Cards, type Column } from './cards.tsx';

type Diff = Answer<'GET /runs/{run}/compared'>;

export function Compare({
  run,
  desk,
  related: { before, siblings },
}: {
  readonly run: string;
  readonly desk: string;
  readonly related: Related;
}): JSX.Element {
  const other = query.value.get('with') ?? before ?? siblings[0]?.run;
  return (
    <Panel id="compare" title="Compare">
      {other === undefined ? (
        <Empty text="This playbook has no other run." />
      ) : (
        <>
          <div class="filters bare">
            <select
              aria-label="Compare with"
              value={other}
              onChange={({ currentTarget }) => want('with', currentTarget.value)}
            >
              {!siblings.some((each) => each.run === other) && (
                <option value={other}>{other}</option>
              )}
              {siblings.map((each) => (
                <option value={each.run}>
                  {each.run}, {momentText(each.startedAt)}
                </option>
              ))}
            </select>
          </div>
          <Compared run={run} other={other} desk={desk} />
        </>
      )}
    </Panel>
  );
}

function Compared({
  run,
  other,
  desk,
}: {
  readonly run: string;
  readonly other: string;
  readonly desk: string;
}): JSX.Element {
  const { answer, failure } = useLoaded(
    'GET /runs/{run}/compared',
    { run, with: other, ...(desk !== '' && { desk }) },
    (notice) => notice.kind === 'run' && (notice.run === run || notice.run === other),
    1_000,
  );
  return (
    <>
      <Failed failure={failure} />
      {answer !== undefined && <Differences diff={answer} desk={desk} />}
    </>
  );
}

function Differences({ diff, desk }: { readonly diff: Diff; readonly desk: string }): JSX.Element {
  const { runs, differences, durations, isSame } = diff;
  const ms = (value: number | undefined): string => (value === undefined ? '' : spoken(value));
  const rows = [
    ...differences.map(({ part, ...rest }) => ({ part: partNames[part], ...rest })),
    ...durations
      .filter((each) => isSlower(each))
      .map(({ step, was, is }) => ({ part: 'Durations', what: step, was: ms(was), is: ms(is) })),
  ];
  return (
    <>
      <ul class="plain">
        {runs.map((each, at) => (
          <li key={each.run}>
            {at === 0 ? 'was' : 'is'} <Target target={each.target} />{' '}
            <a href={runPath(each.run, desk)} data-row>
              {each.run}
            </a>{' '}
            <State state={each.status} /> <At at={each.startedAt} />, took {spoken(each.tookMs)},{' '}
            {count(each.requests, 'request')}
            {each.notFinal !== undefined && (
              <b class="doubt-text">: {each.notFinal}; the comparison may change</b>
            )}
          </li>
        ))}
      </ul>
      <p role="status">{isSame ? 'Only times differ.' : `${differenceWords(diff)}.`}</p>
      {rows.length > 0 && <Rows rows={rows} />}
    </>
  );
}

interface Line {
  readonly part: string;
  readonly what: string;
  readonly was?: string;
  readonly is?: string;
}

function Rows({ rows }: { readonly rows: readonly Line[] }): JSX.Element {
  const { shown, pager } = paged(rows);
  return (
    <>
      <Cards name="Differences" kind="compared" columns={columns} rows={shown} />
      {pager}
    </>
  );
}

const shownIn = (run: string | undefined): ComponentChildren =>
  run ?? <span class="dim">not there</span>;

const columns: readonly Column<Line>[] = [
  { name: 'Part', cell: ({ part }) => part },
  { name: 'What', kind: 'wraps', cell: ({ what }) => what },
  { name: 'Was', kind: 'wraps', cell: ({ was }) => shownIn(was) },
  { name: 'Is', kind: 'wraps', cell: ({ is }) => shownIn(is) },
];
