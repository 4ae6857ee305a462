/** Finds the action of a playbook that an existing object represents, and writes the journal that records it.
 */
import { day, type Clock, type Millis } from '../../base/clock.ts';
import { exits, UsageError } from '../../base/error.ts';
import { isRecord, plainJson, type Json, type JsonRecord } from '../../base/json.ts';
import { nearWord, plainText, shellWord } from '../../base/text.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { EvidenceError } from '../../engine/effects/evidence.ts';
import type { Address, Destination, Entry, Event, Outcome } from '../../engine/journal/entry.ts';
import { clientOidOf } from '../../engine/journal/identity.ts';
import { orderIdIn, playbookKey } from '../../engine/journal/ledger.ts';
import { createRun, openRun } from '../../engine/journal/runs.ts';
import { writesIn } from '../../engine/journal/writes.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { stepsOf } from '../../language/expressions.ts';
import type { Playbook, Step } from '../../language/playbook.ts';
import type { Config } from '../config/load.ts';
import type { Hold, StateStore } from '../../stores/store.ts';
import type { AppContext } from '../app-context.ts';
import { programName } from '../../base/version.ts';
import { recordedRuns } from './damaged.ts';
import { holdRun, type Started } from '../store/synchronized.ts';
import { recordedPlaybook } from '../../engine/journal/recorded-playbook.ts';

/** A write of a playbook that no run here has done. */
export interface AdoptedAction {
  readonly address: Address;
  /** Path of the step that the write belongs to. */
  readonly step: string;
  readonly uses: string;
  readonly key?: string;
  /** The profile of the write, if it differs from that of the run. */
  readonly account?: string;
  readonly operation: OperationName;
  readonly input: Json;
}

/**
 * Finds an action by its address.
 * @throws UsageError for an unknown action, one that is done, or one not done once per playbook
 */
export function placeAt(plan: Plan, playbook: Playbook, address: string): AdoptedAction {
  const all = plan.steps.flatMap((step) => step.actions.map((action) => ({ step, action })));
  const found = all.find(({ action }) => action.address === address);
  if (found === undefined) {
    const near = nearWord(
      address,
      all.map(({ action }) => action.address),
    );
    throw new UsageError(
      `the playbook has no action ${JSON.stringify(address)} with these inputs`,
      near === undefined
        ? `see \`deskhand plan ${shellWord(plan.playbook.file)} --full\``
        : `did you mean ${near}?`,
    );
  }
  const { step, action } = found;
  const { change, operation, input, key, account, confidence } = action;
  if (change.kind === 'none') throw new UsageError(`${address} is already done: ${change.because}`);
  if (change.kind !== 'create' || operation === undefined) {
    throw new UsageError(
      `${address} creates nothing that could be imported`,
      'only orders and sub-accounts can be imported',
    );
  }
  if (confidence?.kind === 'known-after') {
    throw new UsageError(
      `${address} is known only after ${confidence.step}: nothing can be compared`,
    );
  }
  if (stepAt(playbook, step.id)?.oncePer !== 'playbook') {
    throw new UsageError(
      `${address} is done once per run: another run would do it again after the import`,
      'give its step once-per: playbook',
    );
  }
  return {
    address,
    step: step.id,
    uses: step.uses,
    operation,
    input,
    ...(key !== undefined && { key }),
    ...(account !== undefined && { account }),
  };
}

/**
 * Finds a step by its path: `part[1]/inner` is a step of the playbook that `part` uses. A key may contain any
 * text, including `/` and `]`, so ids are matched from the left.
 */
export function stepAt(playbook: Playbook, path: string): Step | undefined {
  for (const step of stepsOf(playbook)) {
    if (path === step.id) return step;
    if (step.action.kind !== 'playbook' || !/^[[/]/.test(path.slice(step.id.length))) continue;
    if (!path.startsWith(step.id)) continue;
    const inner = step.action.playbook;
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const found = stepAt(inner, path.slice(at + 1));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The identity of a write in the ledger, and the clientOid of its order. */
export interface Known {
  readonly identity: string;
  readonly imported: 'named' | 'unnamed';
}

export function knownBy(
  { address, operation, input }: AdoptedAction,
  playbook: Playbook,
  destination: Destination,
): Known {
  const write = { playbook: playbook.name, address, operation };
  const fields = isRecord(input) ? fieldsOf(input) : {};
  const { key = '' } = operationOf(operation);
  const { [key]: name, ...content } = fields;
  const identity = playbookKey(destination, { ...write, content });
  const isOurs = name === undefined || name === clientOidOf(identity);
  if (isOurs) return { identity, imported: 'unnamed' };
  return { identity: playbookKey(destination, { ...write, content: fields }), imported: 'named' };
}

function fieldsOf(input: object): JsonRecord {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]): [string, Json] => [name, plainJson(value)]),
  );
}

/** Refuses an order that represents another action already. @throws EvidenceError when a run here has it */
export async function refuseKnown(stateDir: string, output: Json): Promise<void> {
  const names = (value: Json | undefined): readonly unknown[] =>
    isRecord(value) ? [orderIdIn(plainJson(value)), value['subUid']] : [];
  const [orderId, subUid] = names(output);
  for (const { run, entries } of (await recordedRuns(stateDir)).runs) {
    for (const { address, outcome } of writesIn(run, entries)) {
      if (outcome?.kind !== 'done') continue;
      const [order, sub] = names(outcome.output);
      const isSame =
        (orderId !== undefined && order === orderId) || (subUid !== undefined && sub === subUid);
      if (!isSame) continue;
      const hint = 'an object belongs to one step of one playbook';
      throw new EvidenceError(`run ${run} already has it as ${plainText(address, 120)}`, hint);
    }
  }
}

/** The contents of an import's journal. */
export interface Import {
  readonly plan: Plan;
  readonly playbook: Playbook;
  readonly place: AdoptedAction;
  readonly known: Known;
  /** The input of the action, with the clientOid known to the exchange. */
  readonly input: Json;
  readonly outcome: Extract<Outcome, { readonly kind: 'done' }>;
  /**
   * The time of the import by the exchange's clock; an object that no list shows counts as older than all
   * lists.
   */
  readonly now: Millis;
}

const listsKeep = 90 * day;

/** Writes the journal of an import: nothing is sent. */
export async function recordImport(
  { plan, playbook, place, known, input, outcome, now }: Import,
  hold: Hold,
  { stateDir, clock }: { readonly stateDir: string; readonly clock: Clock },
): Promise<void> {
  const { run, destination, accounts = [] } = plan;
  const { address, step, uses, operation, key, account } = place;
  const others = accounts.length > 0 && { accounts };
  const header = { run, playbook: playbook.name, destination, ...others, program: programName };
  const created = await createRun(
    stateDir,
    { ...header, createdAt: clock.now() },
    clock,
    hold.over,
  );
  const { journal } = await hold.open({ journal: created, entries: [] });
  const isShown = outcome.evidence === 'looked-up';
  const events: readonly Event[] = [
    {
      kind: 'started',
      run,
      playbook: recordedPlaybook(playbook),
      destination,
      ...others,
      inputs: plan.inputs,
      time: plan.observedAt,
      program: programName,
      imported: known.imported,
      naming: 2,
      steps: [{ id: step, uses, line: 1 }],
    },
    { kind: 'opened', step, uses, ...(key !== undefined && { items: [key] }) },
    {
      kind: 'intended',
      address,
      operation,
      input,
      identity: known.identity,
      ...(accounts.length > 0 && { account: account ?? destination.profile }),
      attempt: 1,
      signedAt: isShown ? now : now - listsKeep - day,
    },
    { kind: 'settled', address, outcome },
    { kind: 'closed', step, status: 'done' },
    { kind: 'finished', status: 'done', exit: 0, outputs: null },
  ];
  try {
    for (const event of events) await journal.append(event);
  } finally {
    await journal.close();
  }
}

/**
 * Ends the journal of an interrupted import, so that its accounts are released.
 * @returns whether the journal records the import; otherwise the import must be repeated
 */
export async function endImport(
  started: Started,
  store: StateStore,
  config: Config,
  context: AppContext,
): Promise<boolean> {
  const hold = await holdRun(store, started, config, context);
  try {
    const opened = await openRun(config.stateDir, started.run, context.clock, [], hold.over);
    const { journal, entries } = await hold.open(opened);
    try {
      for (const event of endingOf(entries)) await journal.append(event);
    } finally {
      await journal.close();
    }
    return isRecorded(entries);
  } finally {
    await hold.release();
  }
}

function isRecorded(entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.kind === 'settled' && entry.outcome.kind === 'done');
}

/** The events missing at the end of the journal. */
export function endingOf(entries: readonly Entry[]): readonly Event[] {
  if (entries.some(({ kind }) => kind === 'finished')) return [];
  const intent = entries.find((entry) => entry.kind === 'intended');
  const because = 'the import was cut off; nothing was sent';
  const isOpen = intent !== undefined && !entries.some(({ kind }) => kind === 'settled');
  return [
    ...(isOpen
      ? ([
          { kind: 'settled', address: intent.address, outcome: { kind: 'skipped', because } },
        ] as const)
      : []),
    isRecorded(entries)
      ? { kind: 'finished', status: 'done', exit: 0, outputs: null }
      : { kind: 'finished', status: 'stopped', exit: exits.stopped, outputs: null },
  ];
}
