/** The results of an ended run that a new one takes over, from a step or an item that a person names. */
import { join } from 'node:path';
import { UsageError } from '../../base/error.ts';
import { canonicalJson, sha256, type Json } from '../../base/json.ts';
import { plainText, shellWord } from '../../base/text.ts';
import { digestAt } from '../../engine/export/verify.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import type { Reused } from '../../engine/journal/reused.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { itemsMaxIn } from '../../engine/plan/items.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { ReuseError } from '../../engine/plan/reuse-error.ts';
import { StalePlanError } from '../../engine/plan/stale.ts';
import {
  refuseLarge,
  refuseUnended,
  reusable,
  type ExecuteToo,
} from '../../engine/runtime/reusable.ts';
import {
  abandonedBeside,
  itemsHad,
  keptOf,
  sentAgain,
  writesBeside,
} from '../../engine/runtime/written-by.ts';
import { addressOf, itemAt } from '../../engine/plan/addresses.ts';
import { hasEffect } from '../../engine/plan/effect.ts';
import { inputsReadBy, stepsFrom } from '../../language/from.ts';
import { stepsAsIn } from '../../language/only.ts';
import type { Playbook, Step } from '../../language/playbook.ts';
import { namesDigest, stepDigest } from '../../language/step-digest.ts';
import { refuseOther } from '../accounts/identities.ts';
import type { Work } from '../accounts/work.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import { refuseTaken } from '../running/repeated.ts';
import { inputsIn, startOf } from '../running/started.ts';
import { syncOnlyRun } from '../store/synchronized.ts';
import { chosenFrom, refuseNone, type Chosen } from './from.ts';
import { inputsOf, provedAgain } from './playbooks.ts';

/** `--from` and `--of`: the steps or items from which on everything is executed, and the run that did the others. */
export interface ReuseChoice {
  readonly from: readonly string[];
  readonly of: string;
}

export interface Reusing {
  readonly reused: Reused;
  /** The inputs of the earlier run, with those that were given now. */
  readonly args: ReadonlyMap<string, Json>;
}

interface ReuseJob {
  /** The playbook, with all its steps. */
  readonly playbook: Playbook;
  /** The inputs that were given now. */
  readonly args: ReadonlyMap<string, Json>;
  readonly session: Work;
  /** Whether nothing is fetched: the journal of the run must be here. */
  readonly isOffline: boolean;
}

type Started = Extract<Entry, { readonly kind: 'started' }>;

/**
 * Takes the results of a run for the steps that are not executed again.
 * @throws UsageError for a step that cannot be named; ReuseError for a run or a step that cannot be reused
 */
export async function reusing(
  { from, of }: ReuseChoice,
  { playbook, args, session, isOffline }: ReuseJob,
  context: AppContext,
): Promise<Reusing> {
  const { config } = session;
  const chosen = chosenFrom(playbook, from);
  if (!isOffline) await syncOnlyRun(of, config, context);
  const entries = await readRun(config.stateDir, of);
  const started = startOf(entries, of);
  refuseOtherPlaybook(started, playbook);
  refuseUnended(started, entries);
  refuseNone(chosen, playbook, entries);
  await refuseOtherAccounts(started, session);
  const quiet = { ...context, note: () => undefined }; // its problems were shown when it ran
  const then = stepsAsIn(provedAgain(started, itemsMaxIn(entries), quiet), started);
  const ids = chosen.steps;
  const executeToo: ExecuteToo = (id) => {
    const again = sentAgain(entries, keptBeside(id, chosen, playbook, entries));
    return `execute that step, too: --from ${shellWord(id)}${again}${again && newItems(id, playbook)}`;
  };
  const own = playbook.steps.filter(({ id }) => ids.includes(id));
  for (const step of own) refuseChanged(step, then, of, executeToo);
  refuseChangedNames(playbook, then, of, entries);
  const given = inputsIn(started.inputs);
  refuseInputs(own, args, given, { playbook, of, executeToo });
  const times = { time: started.time, scheduledFor: started.scheduledFor };
  const inputs = inputsOf(then, given, times, context);
  for (const step of playbook.steps) refuseOtherItems(step, then, chosen, of, executeToo);
  const recorded = { playbook: then, inputs, entries, clock: context.clock };
  const results = await reusable(chosen, recorded, executeToo);
  refuseLarge(results);
  await refuseChangedFiles(results, executeToo, context);
  const kept = [...given].filter(([name]) => playbook.inputs.has(name));
  const again = writesBeside(keptOf(results), entries);
  const abandoned = abandonedBeside(keptOf(results), entries);
  const journal = sha256(canonicalJson(entries));
  const had = itemsHad(from, entries);
  const reused = {
    run: of,
    from,
    ...(had.length > 0 && { had }),
    journal,
    ...results,
    ...(abandoned.length > 0 && { abandoned }),
    ...(again.length > 0 && { again }),
  };
  await refuseTaken(config.stateDir, reused);
  return { reused, args: new Map([...kept, ...args]) };
}

/**
 * The results that a reviewed plan takes over, read again from the journal that it names.
 * @throws StalePlanError when that journal was changed since, or is gone
 */
export async function reusedAgain(
  { id, reused, inputs }: Plan,
  job: Omit<ReuseJob, 'isOffline' | 'args'>,
  context: AppContext,
): Promise<Reused | undefined> {
  if (reused === undefined) return undefined;
  const { run: of, from, journal } = reused;
  const again = await reusing(
    { from, of },
    { ...job, args: inputsIn(inputs), isOffline: false },
    context,
  ).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    throw new StalePlanError(`plan ${id} reuses steps of ${of}: ${plainText(error.message, 200)}`);
  });
  if (again.reused.journal === journal) return again.reused;
  throw new StalePlanError(
    `the journal of ${of}, whose steps plan ${id} reuses, was changed since`,
  );
}

/** The steps and items that are still not executed again if another step is. */
function keptBeside(
  id: string,
  { from, executed }: Chosen,
  playbook: Playbook,
  entries: readonly Entry[],
): readonly string[] {
  const again = stepsFrom(playbook, [...from, id], hasEffect);
  const steps = playbook.steps.map((step) => step.id).filter((each) => !again.has(each));
  const sent = entries.flatMap((entry) => (entry.kind === 'intended' ? entry.address : []));
  const items = sent.filter((address) => {
    const item = itemAt(address);
    return item !== undefined && executed.get(item.step)?.has(item.key) === false;
  });
  return [...steps, ...items];
}

/** The end of a hint to execute a step again: of one with items, those that are new are executed alone. */
function newItems(id: string, { steps }: Playbook): string {
  const isLoop = steps.some((step) => step.id === id && step.forEach !== undefined);
  return isLoop ? `; or only its new items: --from ${shellWord(addressOf(id, 'KEY'))}` : '';
}

function refuseOtherPlaybook({ playbook: then, run }: Started, { name }: Playbook): void {
  if (then.name === name) return;
  throw new ReuseError(
    `${run} is a run of playbook ${plainText(then.name, 60)}, not of ${plainText(name, 60)}`,
    `name a run of it: deskhand runs list --playbook ${shellWord(name)}`,
  );
}

/** Refuses results of another account: they prove nothing about this one. @throws ConfigError */
async function refuseOtherAccounts(started: Started, session: Work): Promise<void> {
  const book = await session.book();
  const { run, destination, accounts = [] } = started;
  if (destination.profile !== session.destination.profile) {
    throw new ReuseError(
      `${run} is a run of profile ${destination.profile}, not of ${session.destination.profile}`,
      `name that profile: -p ${shellWord(destination.profile)}`,
    );
  }
  refuseOther(destination, session.destination, book, run);
  for (const then of accounts) {
    const other = await session.open(then.profile);
    refuseOther(then, other.destination, book, run);
  }
}

/** @throws ReuseError for a step that does something else now */
function refuseChanged(step: Step, { steps }: Playbook, of: string, executeToo: ExecuteToo): void {
  const then = steps.find(({ id }) => id === step.id);
  const name = plainText(step.id, 60);
  const hint = executeToo(step.id);
  if (then === undefined) throw new ReuseError(`step ${name} was not part of ${of}`, hint);
  if (stepDigest(then) === stepDigest(step)) return;
  throw new ReuseError(
    `step ${name} was changed since ${of}, so its result cannot be reused`,
    hint,
  );
}

/** @throws ReuseError for a step without items in that run, such as one that was renamed, or with those of another operation */
function refuseOtherItems(
  { id, uses }: Step,
  { steps }: Playbook,
  { executed }: Chosen,
  of: string,
  executeToo: ExecuteToo,
): void {
  if (!executed.has(id)) return;
  const then = steps.find((step) => step.id === id);
  if (then?.uses === uses) return;
  const how =
    then === undefined ? `was not part of ${of}` : `used ${plainText(then.uses, 60)} in ${of}`;
  throw new ReuseError(
    `step ${plainText(id, 60)} ${how}, so its items cannot be reused`,
    `${then === undefined ? 'name it as it was named there, or ' : ''}${executeToo(id)}`,
  );
}

/** @throws ReuseError if a value of `let` is another one now: steps that read it would have another result */
function refuseChangedNames(
  playbook: Playbook,
  then: Playbook,
  of: string,
  entries: readonly Entry[],
): void {
  if (namesDigest(then) === namesDigest(playbook)) return;
  throw new ReuseError(
    `let was changed since ${of}, so results of that run cannot be reused`,
    `run the playbook: deskhand run ${shellWord(playbook.file)}${sentAgain(entries)}`,
  );
}

/** @throws ReuseError for an input that a reused step read, and that is now given with another value */
function refuseInputs(
  steps: readonly Step[],
  args: ReadonlyMap<string, Json>,
  given: ReadonlyMap<string, Json>,
  {
    playbook,
    of,
    executeToo,
  }: { readonly playbook: Playbook; readonly of: string; readonly executeToo: ExecuteToo },
): void {
  for (const step of steps) {
    for (const name of inputsReadBy(step, playbook)) {
      const [now, was] = [args.get(name), given.get(name)];
      if (now === undefined || isSameInput(now, was)) continue;
      throw new ReuseError(
        `step ${plainText(step.id, 60)} read input ${name} in ${of}, and a reused step cannot read another value`,
        `leave out --var ${name}, or ${executeToo(step.id)}`,
      );
    }
  }
}

/** Values of `--var` are texts: a number that reads the same is the same value. */
function isSameInput(now: Json, was: Json | undefined): boolean {
  if (was === undefined) return false;
  if (canonicalJson(now) === canonicalJson(was)) return true;
  return typeof now !== 'object' && typeof was !== 'object' && String(now) === String(was);
}

/** @throws ReuseError for a file that is not here as the run wrote it */
async function refuseChangedFiles(
  { steps, items = [] }: Pick<Reused, 'steps' | 'items'>,
  executeToo: ExecuteToo,
  context: AppContext,
): Promise<void> {
  const all = [...steps, ...items.map((item) => ({ ...item, id: item.step }))];
  for (const { id, run, files = [] } of all) {
    for (const { file, sha256: digest } of files) {
      const found = await digestAt(join(folderOf(context), file));
      if (found === digest) continue;
      const how = found === undefined ? 'is not here' : 'was changed since';
      throw new ReuseError(
        `${plainText(file, 160)}, which step ${plainText(id, 60)} wrote in ${run}, ${how}`,
        found === undefined
          ? `fetch it with \`deskhand runs files ${shellWord(run)}\`, or ${executeToo(id)}`
          : executeToo(id),
      );
    }
  }
}
