/** A run with a damaged record: the writes it may have made, and how to find out. */
import { shellWord } from '../../base/text.ts';
import { join } from 'node:path';
import { minute, type Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import type { OrderList, OrderLists } from '../../exchange/api/keyed-write.ts';
import { listedLineOf, orderTerms, tradedLines } from '../../exchange/api/meant-order.ts';
import { namesIn } from '../../engine/journal/writes.ts';
import type { Destination, Entry } from '../../engine/journal/entry.ts';
import { evidenceOf, type Evidence } from '../../engine/journal/evidence.ts';
import { JournalError } from '../../engine/journal/error.ts';
import { listRuns, unnamedRuns } from '../../engine/journal/run-list.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { StoredView } from '../../engine/journal/stored-view.ts';
import { writesIn } from '../../engine/journal/writes.ts';
import { planOfRun } from '../../engine/plan/file.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import {
  anything,
  choice,
  list,
  optional,
  record,
  text,
  type Infer,
} from '../../exchange/api/schema.ts';
import { count } from '../../engine/journal/shared-schema.ts';

/** A write in the readable entries, or in the plan of the run. */
const possibleWrite = record({
  address: text(),
  operation: text(),
  input: anything,
  /** The state of the write in the record; `planned` if only the plan has it. */
  known: choice(['done', 'refused', 'unknown', 'planned']),
});

export type PossibleWrite = Infer<typeof possibleWrite>;

/** The facts about a run whose record is damaged. */
export const damage = record({
  run: text(),
  because: text(),
  lines: count,
  readable: count,
  /** Number of entries that were on the disk; absent if unknown. */
  written: optional(count),
  writes: list(possibleWrite),
  /** Commands that query the exchange. */
  lookUp: list(text(), { description: 'Commands that show what the exchange knows' }),
});

export type Damage = Infer<typeof damage>;

/** Reads the readable part of a damaged run, and its plan. */
export async function damageOf(stateDir: string, run: string, error: Error): Promise<Damage> {
  const evidence = await evidenceOf(stateDir, run);
  const plan = await planOfRun(join(stateDir, 'plans'), run);
  const { entries, lines, mark } = evidence;
  const writes = writesOf(run, evidence, plan);
  return {
    run,
    because: error.message,
    lines,
    readable: entries.length,
    ...(mark && { written: Math.max(mark.seq, mark.end) }),
    writes,
    lookUp: commandsFor(writes, accountOf(evidence, plan), beganAt(evidence, plan)),
  };
}

function writesOf(run: string, { entries }: Evidence, plan: Plan | undefined): PossibleWrite[] {
  const recorded = writesIn(run, entries).map(({ address, operation, input, outcome }) => {
    const known =
      outcome?.kind === 'done' || outcome?.kind === 'refused' ? outcome.kind : 'unknown';
    return { address, operation, input, known } as const;
  });
  const named = new Set<string>(recorded.map(({ address }) => address));
  const planned = (plan?.steps ?? []).flatMap(({ actions }) =>
    actions.flatMap(({ address, operation, input, change }) =>
      operation !== undefined && isWrite(change.kind) && !named.has(address)
        ? [{ address, operation, input, known: 'planned' as const }]
        : [],
    ),
  );
  return [...recorded, ...planned];
}

function isWrite(change: string): boolean {
  return change === 'create' || change === 'set';
}

function accountOf({ header, entries }: Evidence, plan: Plan | undefined): Destination | undefined {
  const started = entries.find(({ kind }) => kind === 'started');
  const destination = started?.kind === 'started' ? started.destination : header?.destination;
  return destination ?? plan?.destination;
}

function beganAt({ header, mark }: Evidence, plan: Plan | undefined): Millis | undefined {
  return header?.createdAt ?? mark?.createdAt ?? plan?.observedAt;
}

/** The commands that show open orders and the history of each symbol, or of all if no symbol is known. */
function commandsFor(
  writes: readonly PossibleWrite[],
  account: Destination | undefined,
  began: Millis | undefined,
): readonly string[] {
  const found = writes.flatMap((write) => placeOf(write, account) ?? []);
  const [first] = tradedLines(account?.family).values();
  const anywhere: readonly Place[] =
    first === undefined ? [] : [{ lists: first.lists, place: () => '' }];
  const places = new Map(
    (found.length === 0 ? anywhere : found).map((one) => [
      one.lists.open.operation + one.place(one.lists.open),
      one,
    ]),
  );
  const as = account === undefined ? '' : ` -p ${shellWord(account.profile)}`;
  const since = began === undefined ? '' : ` startTime=${began - minute}`;
  return [...places.values()].flatMap(({ lists: { open, closed }, place }) => [
    `deskhand call ${open.operation}${place(open)} --page all${as}`,
    `deskhand call ${closed.operation}${place(closed)}${since} --page all${as}`,
  ]);
}

interface Place {
  readonly lists: OrderLists;
  /** The input that selects the line and the symbol in a list. */
  readonly place: (list: OrderList) => string;
}

/** The lists that show the order of a write, and their input for its line and symbol. */
function placeOf(
  { operation, input }: PossibleWrite,
  account: Destination | undefined,
): Place | undefined {
  const listed = listedLineOf(operation, input, account?.family);
  if (listed === undefined || !isRecord(input)) return undefined;
  const symbol = orderTerms(operation, input)?.symbol;
  const isPlain = symbol !== undefined && /^[\w-]+$/.test(symbol);
  const { line, lists } = listed;
  const words = isPlain ? ` symbol=${symbol}` : '';
  return { lists, place: (list) => ` ${list.line}=${line}${words}` };
}

/** The readable part of a run's record. */
export interface RecordedRun {
  readonly run: string;
  readonly entries: readonly Entry[];
  /** The name of the playbook; absent if unknown. */
  readonly playbook?: string;
  readonly destination?: Destination;
}

/** Every run that sent something, oldest first; of damaged runs the readable part, and why it is incomplete. */
export async function recordedRuns(stateDir: string): Promise<{
  readonly runs: readonly RecordedRun[];
  readonly damages: readonly string[];
}> {
  const runs: RecordedRun[] = [];
  const damages: string[] = [];
  const unnamed = await unnamedRuns(stateDir);
  for (const { run, because } of unnamed) {
    damages.push(because);
    runs.push({ run, entries: (await evidenceOf(stateDir, run)).entries });
  }
  const headers = (await listRuns(stateDir)).filter(
    ({ run }) => !unnamed.some((other) => other.run === run),
  );
  const stored = new StoredView(stateDir);
  for (const { run, playbook, destination } of headers.toReversed()) {
    const known = stored.find(run);
    if (known !== undefined && known.ended.signedAt === undefined) continue; // it sent nothing
    const entries = await readRun(stateDir, run).catch(async (error: unknown) => {
      if (!(error instanceof JournalError)) throw error;
      damages.push(messageOf(error));
      return (await evidenceOf(stateDir, run)).entries;
    });
    runs.push({ run, playbook, destination, entries });
  }
  return { runs, damages };
}

/** The clientOids of all recorded orders. */
export async function recordedNames(stateDir: string): Promise<ReadonlySet<string>> {
  const { runs } = await recordedRuns(stateDir);
  return new Set(runs.flatMap(({ entries }) => namesIn(entries)));
}
