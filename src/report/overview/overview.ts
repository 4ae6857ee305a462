/** The overview of a run for lists and metrics, made from its journal. */
import { plainText } from '../../base/text.ts';
import type { Millis } from '../../base/clock.ts';
import { answersIn } from '../../engine/journal/people-answers.ts';
import type { FactKind } from '../../engine/journal/catalogue.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import type { OverviewFact } from '../../engine/journal/run-summary.ts';
import { openQuestions, overAt } from '../../engine/journal/questions.ts';
import { recordedDoubts } from '../answers.ts';
import { sentWithin } from '../orders.ts';
import type { RunStatus } from '../run-status.ts';
import { storyOf } from '../story.ts';
import { summaryOfStory, type Summary } from '../summary.ts';
import { figuresOf, type RunFigures } from '../telemetry/figures.ts';

/**
 * The version of overviews. It is raised whenever a field changes its meaning or its words: stored overviews
 * of another version are not read. A test compares the overviews of known journals.
 */
export const overviewVersion = 5;

export const overviewKind: FactKind = `overview ${overviewVersion}`;

/** The overview of a run: plain JSON, because it is stored. */
export interface Overview {
  readonly status: RunStatus;
  /** The effects of the run in words: `5 orders placed, 1 refused`. */
  readonly what: string;
  /** Who set the run aside, when and why; absent if it may continue. */
  readonly setAside?: string;
  /** Number of writes in doubt. */
  readonly doubts: number;
  /** Number of doubts that were recorded: while the run continues, other writes only wait for a response. */
  readonly recordedDoubts: number;
  /** The people who approved the run's plan or what a step asked, or recorded an outcome. */
  readonly people: readonly string[];
  /** Steps that wait for an approval, in a run that has not ended: since when and until when, by the machine's clock. */
  readonly asks?: readonly {
    readonly step: string;
    readonly text: string;
    readonly at: Millis;
    readonly until: Millis;
  }[];
  /** Symbols and ids of the run's orders by which it is found, one per line, in lower case. */
  readonly ids: string;
  readonly startedAt: Millis;
  /** The duration of the run, without the pauses between its attempts. */
  readonly tookMs: Millis;
  readonly requests: number;
  /** Number of orders that the run placed. */
  readonly orders: number;
  /** When the first and the last of all orders of its record were sent; absent without orders. */
  readonly sent?: readonly [first: Millis, last: Millis];
  /** Number of rows that it exported; of a file that it continued, those that it added. */
  readonly rows: number;
  /** The time of the last entry of the journal. */
  readonly lastAt: Millis;
  /** Number of the last entry of the journal. */
  readonly seq: number;
  /** Whether the run has no end: a process may still be writing to its journal. */
  readonly isOpen: boolean;
  readonly figures: RunFigures;
}

/** How stores make the overview of a run that ended. */
export const overviewFact: OverviewFact = { kind: overviewKind, of: overviewOf };

/** Makes the overview of a run. @param entries a whole journal with at least one entry */
export function overviewOf(entries: readonly Entry[]): Overview {
  const story = storyOf(entries);
  const summary = summaryOfStory(story);
  const asks = asksIn(entries, summary);
  const sent = sentWithin(story);
  return {
    status: summary.status,
    what: whatOf(summary),
    ...(summary.setAside !== undefined && { setAside: summary.setAside }),
    doubts: summary.tally.inDoubt,
    recordedDoubts: recordedDoubts(story).size,
    people: peopleOf(entries, summary),
    ...(asks.length > 0 && { asks }),
    ids: idsOf(summary),
    startedAt: summary.startedAt,
    tookMs: summary.tookMs,
    requests: summary.requests,
    orders: summary.orders.filter(({ standing }) => standing === 'done').length,
    ...(sent && { sent }),
    rows: summary.files.reduce((sum, { rows, continued }) => sum + (continued?.added ?? rows), 0),
    lastAt: entries.at(-1)?.at ?? summary.startedAt,
    seq: entries.at(-1)?.seq ?? 0,
    isOpen: summary.exit === undefined,
    figures: figuresOf(story, entries),
  };
}

/** The effects of the run without its doubts, which lists show separately. */
function whatOf({ done, tally, files }: Summary): string {
  const words = [
    ...done.map(({ text: each }) => each),
    ...(tally.refused > 0 ? [`${tally.refused} refused`] : []),
    ...(files.length > 0 && done.length === 0 ? [`${files.length} files`] : []),
  ];
  if (words.length > 0) return plainText(words.join(', '), 200);
  return tally.inDoubt > 0 ? 'nothing is known to be done' : 'nothing was sent';
}

function asksIn(
  entries: readonly Entry[],
  { status, setAside }: Summary,
): NonNullable<Overview['asks']> {
  if (setAside !== undefined || (status !== 'unfinished' && status !== 'interrupted')) return [];
  return openQuestions(entries).map((asked) => ({
    step: plainText(asked.address, 200),
    text: plainText(asked.text, 300),
    at: asked.at,
    until: overAt(asked),
  }));
}

function peopleOf(entries: readonly Entry[], { approvedBy = [] }: Summary): readonly string[] {
  const settled = entries.flatMap((entry) => {
    if (entry.kind !== 'settled') return [];
    if (entry.outcome.kind === 'done') {
      const names = answersIn(entry.outcome.output).map(({ who }) => plainText(who, 100));
      if (names.length > 0) return names;
    }
    if (!('person' in entry.outcome)) return [];
    return entry.outcome.person === undefined ? [] : [plainText(entry.outcome.person.who, 100)];
  });
  return [...new Set([...approvedBy, ...settled])];
}

function idsOf({ orders }: Summary): string {
  const symbols = new Set(orders.map(({ symbol }) => symbol));
  const ids = orders.flatMap(({ clientOid, orderId }) => [clientOid, orderId]);
  return [...symbols, ...ids].join('\n').toLowerCase();
}
