/** A run as data for its page: the sections of its report. */
import {
  integer,
  list,
  optional,
  record,
  text,
  truth,
  type Infer,
} from '../../exchange/api/schema.ts';
import { plainText } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { destinationSchema } from '../../engine/journal/shared-schema.ts';
import { filesOf } from '../../stores/outputs/written-files.ts';
import { toneOf } from '../../report/states.ts';
import { recordedDoubts, type Doubt } from '../../report/answers.ts';
import { excerptLines, stopPlace, stopSource, stopTitle } from '../../report/blocks/excerpt.ts';
import { runFacts } from '../../report/blocks/facts.ts';
import { doubtFacts } from '../../report/blocks/doubt.ts';
import { outputFacts } from '../../report/blocks/outputs.ts';
import { outcomeTable } from '../../report/blocks/outcome.ts';
import { provenanceFacts } from '../../report/blocks/provenance.ts';
import { requestTable } from '../../report/blocks/requests.ts';
import { talliesOf } from '../../report/blocks/tallies.ts';
import { fileTable, orderTable, placedWords } from '../../report/blocks/tables.ts';
import { warningsIn } from '../../report/blocks/warnings.ts';
import { ownPlaybook, type Stop } from '../../report/stop.ts';
import { storyOf, type Story } from '../../report/story.ts';
import { summaryOfStory, type Summary } from '../../report/summary.ts';
import { repeatedWays } from '../../report/unfinished-runs.ts';
import { progress, progressOf } from './progress/progress.ts';
import type { Structures } from './progress/structures.ts';
import { runRow, type RunRow } from './run-row.ts';
import { codeLines, facts, inline, rowsMax, table, tableData, tone } from './shapes.ts';

export const runView = record({
  row: runRow,
  file: text({ description: 'The playbook, as it was named' }),
  destination: destinationSchema,
  seq: integer({ description: 'The last entry this is made from' }),
  headline: text(),
  tone,
  lead: text(),
  rest: text(),
  facts,
  next: list(record({ command: text(), why: text() })),
  tallies: list(record({ name: text(), n: integer(), tone, note: text() })),
  doubts: list(
    record({
      what: text(),
      address: text(),
      clientOid: optional(text()),
      facts,
    }),
  ),
  stop: optional(
    record({
      title: text(),
      code: text(),
      message: text(),
      source: inline,
      place: text(),
      lines: codeLines,
      hint: optional(text()),
    }),
  ),
  warnings: facts,
  outputs: facts,
  outcome: table,
  progress,
  orders: optional(table),
  ordersNote: text(),
  files: optional(table),
  downloads: list(record({ path: text(), hasManifest: truth })),
  requests: optional(table),
  sent: integer({ description: 'Number of requests; their table has the waits, too' }),
  provenance: facts,
  playbook: codeLines,
});

export type RunView = Infer<typeof runView>;

/** The parts of long lists that a view has: default: the first page, and the steps in progress. */
export interface RunPart {
  /** Number of steps before the first one. */
  readonly from?: number;
  /** The page of tables. */
  readonly page?: number;
}

export interface Viewing extends RunPart {
  readonly program: string;
  readonly structures: Structures;
  /** The later run that sent the rest of this one. */
  readonly later?: string | undefined;
}

/** The view of a run. @param entries a whole journal with at least its start */
export function runViewOf(
  row: RunRow,
  entries: readonly Entry[],
  { program, structures, later, from, page }: Viewing,
): RunView {
  const story = storyOf(entries);
  const summary = summaryOfStory(story);
  const { stop, orders, files, run, requests } = summary;
  const isRunning = row.state === 'running';
  const recorded = recordedDoubts(story);
  const doubts = summary.inDoubt.filter(({ address }) => !isRunning || recorded.has(address));
  return {
    row,
    file: summary.playbook.file,
    destination: summary.destination,
    seq: story.head,
    headline: isRunning ? runningWords(summary, row) : summary.headline,
    tone: toneOf(isRunning ? 'open' : summary.status),
    lead: isRunning ? '' : summary.lead,
    rest: isRunning ? '' : summary.rest,
    facts: runFacts(summary).filter(([name]) => !isRunning || name !== 'took'),
    next: isRunning || summary.status === 'done' ? [] : nextOf(summary, later),
    tallies: talliesOf(summary, { inDoubt: doubts, isRunning }).map(
      ({ unit: _unit, ...tally }) => tally,
    ),
    doubts: doubts.slice(0, listMax).map(doubtData),
    ...(stop && { stop: stopData(stop) }),
    warnings: warningsIn(summary),
    outputs: outputFacts(summary),
    outcome: tableData(outcomeTable(summary, Infinity), page),
    progress: progressOf(
      { story, summary, isRunning, structures },
      from === undefined ? {} : { from },
    ),
    ...(orders.length > 0 && { orders: tableData(orderTable(summary), page) }),
    ordersNote: orders.length > 0 ? placedWords(summary) : '',
    ...(files.length > 0 && { files: tableData(fileTable(files, run), page) }),
    downloads: filesOf(entries)
      .slice(((page ?? 1) - 1) * rowsMax, (page ?? 1) * rowsMax)
      .map(({ path, hasManifest }) => ({ path, hasManifest })),
    ...(requests > 0 && { requests: tableData(requestTable(story, run), page) }),
    sent: requests,
    provenance: provenanceFacts(story, summary, { program }),
    playbook: playbookLines(story, stop),
  };
}

function nextOf({ run, next }: Summary, later: string | undefined): Summary['next'] {
  return later === undefined ? next : repeatedWays(run, later);
}

/** The progress of a run in words: `running, step 3 of 6`. */
function runningWords({ steps }: Summary, { asks }: RunRow): string {
  const doing = asks === undefined ? 'running' : 'waits for approval';
  const declared = steps.filter(({ number }) => number !== undefined);
  const current = declared.findLast(({ status }) => status === 'open');
  if (current === undefined) return doing;
  return `${doing}, step ${current.number} of ${declared.length}`;
}

const listMax = 100; // doubts; more are not read one by one

function doubtData(doubt: Doubt): RunView['doubts'][number] {
  const { what, address, clientOid } = doubt;
  return {
    what,
    address,
    ...(clientOid !== undefined && { clientOid }),
    facts: doubtFacts(doubt),
  };
}

function stopData(stop: Stop): NonNullable<RunView['stop']> {
  return {
    title: stopTitle(stop),
    code: stop.code,
    message: stop.message,
    source: stopSource(stop),
    place: stopPlace(stop),
    lines: stop.excerpt.length === 0 ? [] : excerptLines(stop.excerpt),
    ...(stop.hint !== undefined && { hint: stop.hint }),
  };
}

/** The text of the playbook that was run, with the failing line marked. */
function playbookLines({ started }: Story, stop: Stop | undefined): RunView['playbook'] {
  const lines = started.playbook.text.replace(/\n$/, '').split(/\r?\n/);
  const marked = stop?.file === ownPlaybook ? undefined : stop?.line;
  return lines.map((line, index) => ({
    number: String(index + 1),
    text: plainText(line, 400),
    isMarked: index + 1 === marked,
  }));
}
