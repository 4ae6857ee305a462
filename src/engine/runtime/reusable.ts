/** The results that an ended run recorded of its steps, for a run that does not execute them again. */
import type { Clock } from '../../base/clock.ts';
import { count, plainText, shellWord } from '../../base/text.ts';
import type { Value } from '../../language/expression/value.ts';
import type { Playbook } from '../../language/playbook.ts';
import { isShortened } from '../effects/brief.ts';
import type { StepResult } from '../interpreter/outcome.ts';
import { decisionsIn } from '../journal/decisions.ts';
import { endIn } from '../journal/end.ts';
import type { Entry } from '../journal/entry.ts';
import { isOverIn } from '../journal/finality.ts';
import { hasOpenWrite, provenAt, replay } from '../journal/replay.ts';
import type { ReusedStep } from '../journal/reused.ts';
import { isCreated, keptWrites, setAsideIn } from '../journal/unfinished.ts';
import { ReuseError } from '../plan/reuse-error.ts';
import { writeWords } from '../plan/reused-step.ts';
import { recordedResults } from './playback.ts';

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
    if (isAside) throw new ReuseError(`${run} was set aside in doubt`, again + sentAgain(entries));
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

/**
 * The results of steps, as a run recorded them; of a step that this run took over itself, as the run before.
 * @throws ReuseError for a step that was neither done nor skipped
 */
export async function reusableSteps(
  ids: readonly string[],
  recorded: Recorded,
  executeToo: ExecuteToo,
): Promise<readonly ReusedStep[]> {
  const [started] = recorded.entries;
  if (started?.kind !== 'started') return [];
  const before = new Map(started.reused?.steps.map((step) => [step.id, step]));
  const results = await recordedResults(recorded);
  const decisions = decisionsIn(recorded.entries);
  return ids.map((id) => {
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

/** The end of a hint to execute steps again: what they created stays, and is created a second time. Default: all steps. */
export function sentAgain(entries: readonly Entry[], ids?: ReadonlySet<string>): string {
  const [started] = entries;
  if (started?.kind !== 'started') return '';
  const own = keptWrites(started, entries).filter(({ isLasting }) => !isLasting);
  const reused = reusedWrites(entries).filter(({ operation }) => isCreated(operation));
  const created = [...own, ...reused];
  const again = created.filter(
    ({ address }) => ids === undefined || [...ids].some((id) => isOf(id, address)),
  );
  return again.length === 0 ? '' : `, which sends ${writeWords(again)} of ${started.run} again`;
}

/** Whether each item of a step was done, with its whole response recorded, or skipped by its condition. */
function isWhole({ items, abandoned, missing }: StepResult): boolean {
  if (abandoned !== undefined || missing !== undefined) return false;
  return items.every(
    ({ status, response }) =>
      status === 'skipped' || (status === 'done' && !isShortened(response ?? null)),
  );
}

function stepOf(
  id: string,
  { status, because, items }: StepResult,
  { run }: Started,
  { entries }: Recorded,
): ReusedStep {
  const writes = writesOf(id, entries);
  const files = filesOf(id, entries);
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

/** Whether an address is that of a step, of one of its items, or of a step of a playbook that it uses. */
function isOf(id: string, address: string): boolean {
  return address === id || address.startsWith(`${id}[`) || address.startsWith(`${id}/`);
}

type Writes = NonNullable<ReusedStep['writes']>;

/** The writes in steps that another run executes again: those of a run, and of the runs whose steps it reused. */
export function writesBeside(ids: readonly string[], entries: readonly Entry[]): Writes {
  const isExecuted = (address: string): boolean => !ids.some((id) => isOf(id, address));
  const reused = reusedWrites(entries).filter(({ address }) => isExecuted(address));
  return [...reused, ...writesAt(isExecuted, entries)];
}

/** The writes of earlier runs in the steps that a run took over. */
function reusedWrites([started]: readonly Entry[]): Writes {
  if (started?.kind !== 'started') return [];
  return started.reused?.steps.flatMap(({ writes = [] }) => writes) ?? [];
}

/** The writes of a step on the exchange, once per address. */
function writesOf(id: string, entries: readonly Entry[]): Writes {
  return writesAt((address) => isOf(id, address), entries);
}

function writesAt(isThere: (address: string) => boolean, entries: readonly Entry[]): Writes {
  const known = replay(entries);
  const writes = new Map<string, Writes[number]>();
  for (const entry of entries) {
    if (entry.kind !== 'intended' || !isThere(entry.address)) continue;
    const { address, operation, account } = entry;
    if (provenAt(known, address).outcome?.kind !== 'done') continue;
    writes.set(address, { address, operation, ...(account !== undefined && { account }) });
  }
  return [...writes.values()];
}

/** The files that a step wrote, each as it was written last. */
function filesOf(id: string, entries: readonly Entry[]): NonNullable<ReusedStep['files']> {
  const files = new Map<string, NonNullable<ReusedStep['files']>[number]>();
  for (const entry of entries) {
    if ((entry.kind !== 'wrote' && entry.kind !== 'document') || !isOf(id, entry.step)) continue;
    const { file, sha256 } = entry;
    files.set(file, { file, sha256, ...(entry.kind === 'wrote' && { rows: entry.rows }) });
  }
  return [...files.values()];
}

const sizeMax = 4 * 1024 * 1024; // bytes of results, as of the reads of a plan

/** @throws ReuseError for results that are too large for a plan and a journal */
export function refuseLarge(steps: readonly ReusedStep[]): void {
  const bytes = Buffer.byteLength(JSON.stringify(steps));
  if (bytes <= sizeMax) return;
  throw new ReuseError(
    `the results of ${count(steps.length, 'step')} to reuse have ${Math.ceil(bytes / 1024 / 1024)} MiB, and the maximum is 4`,
    'name an earlier step with --from, or let the reads write their rows to files',
  );
}
