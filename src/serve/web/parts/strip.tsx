/** The items of a for-each: a cell for each, what needs a person first, then the slowest. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { count, spoken } from '../../../base/text.ts';
import { signs } from '../../../base/palette.ts';
import { stateWord } from '../../../report/states.ts';
import type { Answer } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { hereWith, query, stepPath } from '../router.ts';
import { inZone } from '../zone.ts';
import { Search } from './filter.tsx';
import { Pager } from './pager.tsx';
import { Failed } from './panel.tsx';
import { liveTone, State } from './pill.tsx';

type Strip = Answer<'GET /runs/{run}/items'>;

const interval = 1_000; // ms between two reads of a run in progress

interface Which {
  readonly run: string;
  readonly desk: string;
  /** The address of the step. */
  readonly at: string;
}

export function Items({ which }: { readonly which: Which }): JSX.Element {
  const { run, desk, at } = which;
  const [find, state, page] = ['find', 'state', 'page'].map((name) => query.value.get(name) ?? '');
  const { answer, failure } = useLoaded(
    'GET /runs/{run}/items',
    {
      run,
      at,
      ...(desk && { desk }),
      ...(find && { find }),
      ...(state && { state }),
      ...(page && { page }),
    },
    (notice) => notice.kind === 'run' && notice.run === run,
    interval,
  );
  return (
    <section class="panel flush" aria-labelledby="items">
      <div class="filters">
        <h2 id="items">Items</h2>
        <Search name="find" label="Find an item by its key" hint="key" value={find} />
      </div>
      <Failed failure={failure} />
      {answer !== undefined && <Found strip={answer} which={which} state={state ?? ''} />}
    </section>
  );
}

function Found({
  strip,
  which,
  state,
}: {
  readonly strip: Strip;
  readonly which: Which;
  readonly state: string;
}): JSX.Element {
  const { counts, matching, total, page, pages } = strip;
  return (
    <>
      <nav class="states" aria-label="States of items">
        <a
          href={hereWith({ state: '', page: '' })}
          aria-current={state === '' ? 'true' : undefined}
        >
          all
        </a>
        {counts.map((each) => (
          <a
            href={hereWith({ state: each.state, page: '' })}
            aria-current={state === each.state ? 'true' : undefined}
          >
            <State state={each.state} /> {each.n}
          </a>
        ))}
        <span class="dim" role="status">
          {matching === total ? count(total, 'item') : `${matching} of ${count(total, 'item')}`}
        </span>
      </nav>
      {matching > 0 && <First strip={strip} which={which} />}
      {matching > 0 && <Cells strip={strip} which={which} />}
      <Pager page={page} pages={pages} />
    </>
  );
}

const itemPath = ({ run, desk, at }: Which, key: string): string =>
  stepPath(run, desk, `${at}[${key}]`);

/** The first items in words. */
function First({
  strip: { first },
  which,
}: {
  readonly strip: Strip;
  readonly which: Which;
}): JSX.Element {
  return (
    <ol class="first" aria-label="First items">
      {first.map(({ key, state, what, detail, took }) => (
        <li key={key}>
          <State state={state} />{' '}
          <span>
            <a href={itemPath(which, key)} data-row>
              <b>{key}</b>
            </a>{' '}
            {inZone(what)}{' '}
            <span class="dim">{inZone([detail, took].filter(Boolean).join(' · '))}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function Cells({
  strip: { keys, states, took, counts },
  which,
}: {
  readonly strip: Strip;
  readonly which: Which;
}): JSX.Element {
  const [shown, setShown] = useState('');
  const slowest = Math.max(1, ...took);
  const show = ({ target }: Event): void => {
    setShown(target instanceof HTMLElement ? (target.getAttribute('aria-label') ?? '') : '');
  };
  return (
    <>
      <ul class="cells" aria-label="All items" onMouseOver={show} onFocusIn={show} onKeyDown={move}>
        {keys.map((key, at) => {
          const state = counts[states[at] ?? 0]?.state ?? '';
          const tone = liveTone(state);
          const ms = took[at] ?? 0;
          return (
            <li key={key}>
              <a
                class={tone}
                href={itemPath(which, key)}
                tabIndex={at === 0 ? 0 : -1}
                style={{ '--slow': `${Math.round((100 * ms) / slowest)}%` }}
                aria-label={`${key}: ${stateWord(state)}${ms === 0 ? '' : `, ${spoken(ms)}`}`}
              >
                {tone === 'good' ? '' : tone === 'running' ? '…' : signs[tone].drawn}
              </a>
            </li>
          );
        })}
      </ul>
      <p class="count dim" aria-hidden="true">
        {shown === '' ? 'Each cell is an item; its height is its duration.' : shown}
      </p>
    </>
  );
}

/** Arrow keys move between cells, which are one stop of the tab key. */
function move(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
  const at = cells.findIndex((cell) => cell === document.activeElement);
  const below = cells.findIndex((cell) => cell.offsetTop > (cells[0]?.offsetTop ?? 0));
  const columns = below === -1 ? cells.length : below;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    Home: -at,
    End: cells.length - 1 - at,
  };
  const next = cells[at + (steps[event.key] ?? 0)];
  if (at === -1 || steps[event.key] === undefined || next === undefined) return;
  event.preventDefault();
  for (const cell of cells) cell.tabIndex = cell === next ? 0 : -1;
  next.focus();
}
