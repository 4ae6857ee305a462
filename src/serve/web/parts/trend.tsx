/** The last runs as bars: how long each was active, how many orders it placed and how many rows it exported. */
import type { JSX } from 'preact';
import { count, spoken } from '../../../base/text.ts';
import { stateWord } from '../../../report/states.ts';
import type { Answer } from '../api.ts';
import { runPath } from '../router.ts';
import { momentText } from '../zone.ts';
import { HistoryTable, type Item } from './history-table.tsx';
import { Icon } from './icon.tsx';
import { liveTone } from './pill.tsx';
import { statesText } from './tones.ts';

type Ticks = Answer<'GET /history'>['ticks'];

interface Shown {
  readonly items: readonly Item[];
  readonly desk: string;
}

/** The measure that a strip of bars shows of each run. */
interface Measure {
  readonly name: string;
  readonly of: (item: Item) => number;
  readonly ticks: Ticks;
}

export function Trend({
  items,
  desk,
  ticks,
}: Shown & { readonly ticks: Ticks }): JSX.Element | null {
  if (items.length === 0) return null;
  const counted = (name: string, of: Measure['of']): Measure => {
    const most = Math.max(...items.map(of));
    return { name, of, ticks: [{ at: most, label: `${most}` }] };
  };
  const measures = [
    { name: 'Duration', of: ({ tookMs = 0 }: Item) => tookMs, ticks },
    counted('Orders', ({ orders = 0 }) => orders),
    counted('Rows', ({ rows = 0 }) => rows),
  ].filter(({ name, of }) => name === 'Duration' || items.some((item) => of(item) > 0));
  return (
    <div class="trend">
      <h3>
        Last {count(items.length, 'run')} <small class="dim">{reading(items)}</small>
      </h3>
      <div aria-hidden="true">
        {measures.map((measure) => (
          <Strip key={measure.name} measure={measure} items={items} desk={desk} />
        ))}
      </div>
      <details>
        <summary>As a table</summary>
        <HistoryTable items={items.toReversed()} desk={desk} name="Last runs" />
      </details>
    </div>
  );
}

function Strip({
  measure: { name, of, ticks },
  items,
  desk,
}: Shown & { readonly measure: Measure }): JSX.Element {
  const whole = Math.max(1, ...items.map(of));
  const share = (value: number): string => `${(value / whole) * 100}%`;
  const isFirst = name === 'Duration';
  return (
    <div class={`strip ${name.toLowerCase()}`}>
      <span class="dim">{name}</span>
      <div class="bars">
        {ticks.map(({ at, label }) => (
          <span key={at} class="tick" style={{ bottom: share(at) }}>
            {label}
          </span>
        ))}
        {items.map((item) => {
          const tone = liveTone(item.state);
          return (
            <a
              key={item.run}
              class={tone}
              href={runPath(item.run ?? '', desk)}
              tabIndex={-1}
              title={titleOf(item)}
            >
              {isFirst && tone !== 'good' && <Icon name={tone} />}
              <i style={{ height: share(of(item)) }} />
            </a>
          );
        })}
      </div>
    </div>
  );
}

function titleOf({ at, state, text, tookMs = 0, orders = 0, rows = 0 }: Item): string {
  const sums = [count(orders, 'order'), count(rows, 'row')].join(', ');
  return `${momentText(at)}: ${stateWord(state)} in ${spoken(tookMs)}, ${sums}; ${text}`;
}

/** The trend in words: `28 done, 2 stopped; half took at most 4 s, the longest 9 s`. */
function reading(items: readonly Item[]): string {
  const counts = new Map<string, number>();
  for (const { state } of items) counts.set(state, (counts.get(state) ?? 0) + 1);
  const states = [...counts].map(([state, n]) => ({ state, n }));
  const took = items.map(({ tookMs = 0 }) => tookMs).toSorted((a, b) => a - b);
  const [half = 0, longest = 0] = [took[Math.ceil(took.length / 2) - 1], took.at(-1)];
  return `${statesText(states)}; half took at most ${spoken(half)}, the longest ${spoken(longest)}`;
}
