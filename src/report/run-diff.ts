/** Two runs side by side: what differs in their inputs, steps, orders, files and outputs, in the words of each. */
import type { Millis } from '../base/clock.ts';
import { isJsonRecord, type JsonRecord } from '../base/json.ts';
import { count, plainText } from '../base/text.ts';
import type { Destination, Entry } from '../engine/journal/entry.ts';
import { valueDifferences } from '../engine/plan/value-differences.ts';
import type { FileLine } from './file-lines.ts';
import { outputWords } from './named-outputs.ts';
import type { OrderLine } from './orders.ts';
import type { RunStatus } from './run-status.ts';
import { stateWord } from './states.ts';
import { storyOf, type StepStory, type Story } from './story.ts';
import { summaryOfStory, type Summary } from './summary.ts';
import { stateOf, wordsOf } from './words.ts';

/** The parts of a comparison, in the order in which they are shown. */
export const diffParts = [
  'run',
  'inputs',
  'steps',
  'orders',
  'writes',
  'files',
  'outputs',
] as const;
export type DiffPart = (typeof diffParts)[number];

/** A value that differs; absent in the run that does not have it. */
export interface RunDifference {
  readonly part: DiffPart;
  /** The value: `leverage`, `ladder[40000] price`. */
  readonly what: string;
  readonly was?: string;
  readonly is?: string;
}

/** A run of a comparison. */
export interface ComparedRun {
  readonly run: string;
  readonly playbook: string;
  readonly target: Destination['target'];
  readonly status: RunStatus;
  readonly headline: string;
  readonly startedAt: Millis;
  readonly tookMs: Millis;
  readonly requests: number;
  /** Why the comparison may change: the run has not ended, or has writes in doubt. */
  readonly notFinal?: string;
}

/** How long a step took in both runs; absent where it did not run. */
export interface StepDurations {
  readonly step: string;
  readonly was?: Millis;
  readonly is?: Millis;
}

export interface RunDiff {
  /** Whether only times differ. */
  readonly isSame: boolean;
  readonly runs: readonly [ComparedRun, ComparedRun];
  readonly differences: readonly RunDifference[];
  readonly durations: readonly StepDurations[];
}

/** Compares two journals. @throws InternalError for one that does not start with the start of a run */
export function runDiff(a: readonly Entry[], b: readonly Entry[]): RunDiff {
  const [was, is] = [comparedOf(a), comparedOf(b)];
  const differences = diffParts.flatMap((part) =>
    part === 'orders'
      ? orderDifferences(was.orders, is.orders)
      : part === 'inputs'
        ? inputDifferences(was.inputs, is.inputs)
        : different(part, was.texts[part], is.texts[part]),
  );
  const names = new Set([...was.durations.keys(), ...is.durations.keys()]);
  return {
    isSame: differences.length === 0,
    runs: [was.run, is.run],
    differences,
    durations: [...names].map((step) => ({
      step,
      ...sides(was.durations.get(step), is.durations.get(step)),
    })),
  };
}

type Started = Story['started'];

/** Texts of a run by what they say. */
type Texts = ReadonlyMap<string, string>;

interface Compared {
  readonly run: ComparedRun;
  readonly texts: Readonly<Record<Exclude<DiffPart, 'orders' | 'inputs'>, Texts>>;
  readonly inputs: JsonRecord;
  readonly orders: ReadonlyMap<string, OrderLine>;
  readonly durations: ReadonlyMap<string, Millis>;
}

function comparedOf(entries: readonly Entry[]): Compared {
  const story = storyOf(entries);
  const summary = summaryOfStory(story);
  const { steps, orders, files, outputs } = summary;
  const begun = steps.filter(({ status }) => status !== 'not-sent');
  return {
    run: runOf(summary),
    texts: {
      run: basisOf(story.started, summary),
      steps: new Map(steps.map(({ id, status, detail }) => [id, stepWords(status, detail)])),
      writes: new Map(story.steps.flatMap((step) => writesOf(step, summary))),
      files: new Map(files.map((file) => [file.file, fileWords(file)])),
      outputs: new Map(outputs.map((line) => [plainText(line.name, 120), outputWords(line)])),
    },
    inputs: isJsonRecord(story.started.inputs) ? story.started.inputs : {},
    orders: new Map(orders.map((order) => [order.address, order])),
    durations: new Map(begun.map(({ id, ms }) => [id, ms])),
  };
}

function basisOf({ playbook }: Started, summary: Summary): Texts {
  const { destination, status } = summary;
  return new Map([
    ['playbook', summary.playbook.name],
    ['text of the playbook', digestWords(playbook.digest)],
    ['target', destination.target],
    ['account', plainText(destination.profile, 80)],
    ['outcome', stateWord(status)],
  ]);
}

/** The inputs that differ; of lists and records the fields. */
function inputDifferences(before: JsonRecord, after: JsonRecord): readonly RunDifference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    valueDifferences(name, before[name], after[name]).map(({ path, was, is }) => ({
      part: 'inputs' as const,
      what: plainText(path, 120),
      ...(was !== undefined && { was: plainText(was, valueMax) }),
      ...(is !== undefined && { is: plainText(is, valueMax) }),
    })),
  );
}

const valueMax = 300; // characters of an input

function fileWords({ rows, sha256 }: FileLine): string {
  return `${count(rows, 'row')}, ${digestWords(sha256)}`;
}

function digestWords(digest: string): string {
  return `sha256 ${plainText(digest.slice(0, 16))}…`;
}

function runOf(summary: Summary): ComparedRun {
  const { run, playbook, status, headline, startedAt, tookMs, requests, exit, tally } = summary;
  const why = [
    ...(exit === undefined ? ['it has not ended'] : []),
    ...(tally.inDoubt > 0 ? [`${count(tally.inDoubt, 'write')} in doubt`] : []),
  ];
  return {
    run,
    playbook: playbook.name,
    target: summary.destination.target,
    status,
    headline,
    startedAt,
    tookMs,
    requests,
    ...(why.length > 0 && { notFinal: why.join(', ') }),
  };
}

/** The result of a step as `runs show` says it. */
function stepWords(status: string, detail: string): string {
  return detail === '' ? stateWord(status) : `${stateWord(status)}, ${detail}`;
}

/** Orders by their addresses, and by their fields where both runs have one. Their ids are new in every run. */
function orderDifferences(
  was: Compared['orders'],
  is: Compared['orders'],
): readonly RunDifference[] {
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((address) => {
    const [before, after] = [was.get(address), is.get(address)];
    if (before === undefined || after === undefined) {
      const whole = sides(before && orderWords(before), after && orderWords(after));
      return [{ part: 'orders' as const, what: address, ...whole }];
    }
    const [first, second] = [fieldsOf(before), fieldsOf(after)];
    return different('orders', first, second).map(({ what, ...rest }) => {
      return { ...rest, what: `${address} ${what}` };
    });
  });
}

function orderWords({ symbol, side, size, price, terms, state, account }: OrderLine): string {
  const where = account === undefined ? '' : ` on ${account}`;
  const at = price === '' ? 'at market' : `@ ${price}`;
  return [`${symbol} ${side} ${size} ${at}${where}`, ...terms, stateWord(state)].join(', ');
}

function fieldsOf({ symbol, side, size, price, terms, state, account = '' }: OrderLine): Texts {
  const at = price === '' ? 'at market' : price;
  const fields = { symbol, side, size, price: at, terms: terms.join(', '), account };
  const said = Object.entries({ ...fields, state: stateWord(state) });
  return new Map(said.filter(([, text]) => text !== ''));
}

/** Writes other than orders: leverages, cancels, sub-accounts. */
function writesOf(step: StepStory, { orders }: Summary): readonly (readonly [string, string])[] {
  const placed = new Set(orders.map(({ address }) => address));
  return step.actions.flatMap((action) => {
    const address = plainText(action.address, 120);
    if (action.intents.length === 0 || placed.has(address)) return [];
    return [[address, `${wordsOf(action)}, ${stateWord(stateOf(action, step))}`] as const];
  });
}

function different(part: DiffPart, was: Texts, is: Texts): readonly RunDifference[] {
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((what) => {
    const [before, after] = [was.get(what), is.get(what)];
    if (before === after) return [];
    return [{ part, what, ...sides(before, after) }];
  });
}

/** The values of both runs; one that is not there is left out. */
function sides<T>(was: T | undefined, is: T | undefined): { readonly was?: T; readonly is?: T } {
  return { ...(was !== undefined && { was }), ...(is !== undefined && { is }) };
}
