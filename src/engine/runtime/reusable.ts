/** The results that an ended run recorded of its steps and their items, for a run that does not execute them again. */
import type { Clock } from '../../base/clock.ts';
import { count, listed, plainText, shellWord } from '../../base/text.ts';
import type { Value } from '../../language/expression/value.ts';
import type { Playbook } from '../../language/playbook.ts';
import { isShortened } from '../effects/brief.ts';
import type { StepResult } from '../interpreter/outcome.ts';
import { decisionsIn } from '../journal/decisions.ts';
import { endIn } from '../journal/end.ts';
import type { Entry } from '../journal/entry.ts';
import { isOverIn } from '../journal/finality.ts';
import { hasOpenWrite } from '../journal/replay.ts';
import type { Reused, ReusedItem, ReusedStep } from '../journal/reused.ts';
import { setAsideIn } from '../journal/unfinished.ts';
import { addressOf, itemAt, ownerOf } from '../plan/addresses.ts';
import { ReuseError } from '../plan/reuse-error.ts';
import { placedValue } from '../plan/reused-item.ts';
import { filesIn } from '../plan/written-files.ts';
import { recordedResults } from './playback.ts';
import { filesOf, sentAgain, writesOf } from './written-by.ts';

type Started = Extract<Entry, { readonly kind: 'started' }>;

/**
 * Refuses a run that is not over: it may still send something, and only it may. A run that was set aside without a
 * doubt is over, however it ended.
 * @throws ReuseError, with the command that continues it
 */
export function refuseUnended(started: Started, entries: readonly Entry[]): void {
  const { run, imported, playbook } = started;
  const again = `run its playbook again: deskhand run ${shellWord(playbook.file)}`;
  if (imported !== undefined) throw new ReuseError(`${run} only imported an order`, again);
  const end = endIn(entries);
  const isAside = setAsideIn(entries) !== undefined;
  if (hasOpenWrite(entries) || end?.status === 'doubt') {
    const settle = `look up what is in doubt, after which its rest can be done: deskhand resolve ${shellWord(run)} --from-exchange`;
    if (isAside)
      throw new ReuseError(
        `${run} was set aside in doubt`,
        `${settle}; or ${again}${sentAgain(entries)}`,
      );
    throw new ReuseError(`${run} is in doubt`, `settle it: deskhand resume ${shellWord(run)}`);
  }
  if (isAside) return;
  const resume = `continue it: deskhand resume ${shellWord(run)}; if the playbook must change first: deskhand runs set-aside ${shellWord(run)} --reason WHY`;
  if (end === undefined) throw new ReuseError(`${run} did not end`, resume);
  if (end.status === 'interrupted') throw new ReuseError(`${run} was interrupted`, resume);
  if (end.status === 'stopped' && !isOverIn(started, entries)) {
    throw new ReuseError(`${run} can be resumed from its failure`, resume);
  }
}

export interface Recorded {
  /** The playbook of the run, with the steps that it selected. */
  readonly playbook: Playbook;
  readonly inputs: Readonly<Record<string, Value>>;
  readonly entries: readonly Entry[];
  readonly clock: Clock;
}

/** The hint to execute a step that cannot be reused. */
export type ExecuteToo = (id: string) => string;

/** The parts of a playbook that are not executed again. */
export interface Kept {
  readonly steps: readonly string[];
  /** The items that are executed in any case, of each step of which those are kept that the run did. */
  readonly executed: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * The results of steps, as a run recorded them, and of the items that it did of other steps; of a step or an item
 * that this run took over itself, as the run before.
 * @throws ReuseError for a step that was neither done nor skipped
 */
export async function reusable(
  { steps: ids, executed }: Kept,
  recorded: Recorded,
  executeToo: ExecuteToo,
): Promise<Pick<Reused, 'steps' | 'items'>> {
  const [started] = recorded.entries;
  if (started?.kind !== 'started') return { steps: [] };
  const before = new Map(started.reused?.steps.map((step) => [step.id, step]));
  const results = await recordedResults(recorded);
  const decisions = decisionsIn(recorded.entries);
  const steps = ids.map((id) => {
    const taken = before.get(id);
    if (taken !== undefined) return taken;
    const status = decisions.step(id).closed.at(-1)?.status;
    const result = results.get(id);
    if (status === 'done' || status === 'skipped') {
      if (result?.status === status && isWhole(result))
        return stepOf(id, result, started, recorded);
    }
    throw notDone(id, status, started, executeToo);
  });
  const items = [...executed].flatMap(([id, again]) => {
    const taken = before.get(id);
    if (taken !== undefined) throw takenWhole(taken, started);
    return itemsOf(id, results.get(id)?.items ?? [], again, started, recorded);
  });
  return { steps, ...(items.length > 0 && { items }) };
}

function shortened(address: string, run: string): ReuseError {
  return new ReuseError(
    `${plainText(address, 120)} has no complete record in ${run}, and would be sent again`,
    `do the rest by hand, or execute the step: --from ${shellWord(itemAt(address)?.step ?? address)}`,
  );
}

function takenWhole({ id, run }: ReusedStep, { run: later }: Started): ReuseError {
  return new ReuseError(
    `step ${plainText(id, 60)} was not executed in ${later}, which has its results from ${run}`,
    `name that run: --of ${shellWord(run)}`,
  );
}

/**
 * The items of a step that a run did, with their whole responses recorded, but for some. What it took over itself
 * is done, whether or not it came to it.
 * @throws ReuseError for an item that the run sent, and whose result is not in its record
 */
function itemsOf(
  id: string,
  results: StepResult['items'],
  again: ReadonlySet<string>,
  { run, reused }: Started,
  { entries }: Recorded,
): readonly ReusedItem[] {
  const taken = reused?.items?.filter(({ step, key }) => step === id && !again.has(key)) ?? [];
  const others = new Set([...again, ...taken.map(({ key }) => key)]);
  const known = new Set([...results.map(({ key = '' }) => key), ...others]);
  const lost = lostIn(id, known, entries);
  if (lost !== undefined) throw shortened(lost, run);
  const done = results.filter(({ status, key = '' }) => status === 'done' && !others.has(key));
  const reached = reachedOf(new Set(done.map(({ key }) => addressOf(id, key))), entries);
  const all = done.filter(({ key }) => reached.has(addressOf(id, key)));
  const writes = writesOf(
    all.map(({ key }) => addressOf(id, key)),
    entries,
  );
  const files = filesOf([id], entries).get(id) ?? [];
  const inputs = new Map(
    entries.flatMap((entry) => (entry.kind === 'intended' ? [[entry.address, entry.input]] : [])),
  );
  const own = all.flatMap(({ key = '', response, item }): readonly ReusedItem[] => {
    const address = addressOf(id, key);
    const sent = writes.get(address);
    const isShort = isShortened(response);
    if (isShort && sent !== undefined) throw shortened(address, run);
    if (isShort) return []; // it only reads, and does so again
    const value = item && placedValue(item);
    const input = inputs.get(address);
    const named = new Set(filesIn(response)?.files);
    const written = named.size === 0 ? [] : files.filter(({ file }) => named.has(file));
    return [
      {
        step: id,
        key,
        run,
        response,
        ...(value !== undefined && { value }),
        ...(input !== undefined && { input }),
        ...(sent !== undefined && { writes: sent }),
        ...(written.length > 0 && { files: written }),
      },
    ];
  });
  return [...taken, ...own];
}

/** Those of the addresses for which a record has an entry. */
function reachedOf(addresses: ReadonlySet<string>, entries: readonly Entry[]): ReadonlySet<string> {
  return new Set(
    entries.flatMap((entry) => {
      const at = 'address' in entry ? entry.address : 'step' in entry ? entry.step : undefined;
      return (at !== undefined && ownerOf(at, addresses)) || [];
    }),
  );
}

/** An item of a step with a write that is done although the step has no result of it. */
function lostIn(
  id: string,
  known: ReadonlySet<string>,
  entries: readonly Entry[],
): string | undefined {
  const items = new Set([...known].map((key) => addressOf(id, key)));
  const sent = writesOf([id], entries).get(id) ?? [];
  return sent.find(({ address }) => ownerOf(address, items) === undefined)?.address;
}

function notDone(
  id: string,
  status: string | undefined,
  { run }: Started,
  executeToo: ExecuteToo,
): ReuseError {
  const how =
    status === undefined || status === 'done' ? 'has no complete record' : `was ${status}`;
  return new ReuseError(
    `step ${plainText(id, 60)} ${how} in ${run}, and only what is done can be reused`,
    executeToo(id),
  );
}

/** Whether each item of a step was done, with its whole response recorded, or skipped by its condition. */
function isWhole({ items, abandoned, missing }: StepResult): boolean {
  if (abandoned !== undefined || missing !== undefined) return false;
  return items.every((item) => item.status === 'skipped' || isDone(item));
}

function isDone({ status, response }: StepResult['items'][number]): boolean {
  return status === 'done' && !isShortened(response ?? null);
}

function stepOf(
  id: string,
  { status, because, items }: StepResult,
  { run, reused }: Started,
  { entries }: Recorded,
): ReusedStep {
  const taken = reused?.items?.filter(({ step }) => step === id) ?? [];
  const writes = [
    ...taken.flatMap((item) => item.writes ?? []),
    ...(writesOf([id], entries).get(id) ?? []),
  ];
  const files = [
    ...taken.flatMap((item) => item.files ?? []),
    ...(filesOf([id], entries).get(id) ?? []),
  ];
  return {
    id,
    run,
    status: status === 'skipped' ? 'skipped' : 'done',
    ...(because !== undefined && { because }),
    results: items.map(
      ({ key, status: each, response, outputs, file, rows, files: all, manifest }) => ({
        ...(key !== undefined && { key }),
        status: each === 'skipped' ? ('skipped' as const) : ('done' as const),
        response,
        outputs,
        ...(file !== undefined && { file }),
        ...(rows !== undefined && { rows }),
        ...(all !== undefined && { files: [...all] }),
        ...(manifest !== undefined && { manifest }),
      }),
    ),
    ...(writes.length > 0 && { writes }),
    ...(files.length > 0 && { files }),
  };
}

const sizeMax = 4 * 1024 * 1024; // bytes of results, as of the reads of a plan

/** @throws ReuseError for results that are too large for a plan and a journal */
export function refuseLarge({ steps, items = [] }: Pick<Reused, 'steps' | 'items'>): void {
  const bytes = Buffer.byteLength(JSON.stringify([steps, items]));
  if (bytes <= sizeMax) return;
  const what = listed([
    ...(steps.length > 0 ? [count(steps.length, 'step')] : []),
    ...(items.length > 0 ? [count(items.length, 'item')] : []),
  ]);
  throw new ReuseError(
    `the results of ${what} to reuse have ${Math.ceil(bytes / 1024 / 1024)} MiB, and the maximum is 4`,
    'name an earlier step with --from, or let the reads write their rows to files',
  );
}
