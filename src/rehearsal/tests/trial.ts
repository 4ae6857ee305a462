/** Runs one test: a private world, a plan, a run, and their outcome. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DeskhandError, exits, type ExitCode } from '../../base/error.ts';
import type { StepNotice } from '../../engine/effects/step-notice.ts';
import type { Destination, Entry } from '../../engine/journal/entry.ts';
import type { AppendFile } from '../../engine/journal/file.ts';
import { emptyJournal, journalOver } from '../../engine/journal/journal.ts';
import type { Ledger } from '../../engine/journal/ledger.ts';
import type { RunRecord } from '../../engine/journal/run-record.ts';
import { PastWrites } from '../../engine/journal/past-writes.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { Playbook } from '../../language/playbook.ts';
import { planView, runView, type Observation, type SentNotice } from './observation.ts';
import type { Command, PlaybookTest } from './read.ts';
import { changedPositions } from './world-books.ts';
import { openWorld, type PrivateWorld } from './world.ts';
import {
  brokenIn,
  planInside,
  runInside,
  type PrivateRun,
  type TrialOptions,
} from '../private-run.ts';

/** The observed run of a test, and the second one if the test has `again`. */
export interface Trial {
  readonly first: Observation;
  readonly again?: Observation;
}

/** Runs a test. @throws CommandRefusedError when the world cannot be created as described */
export async function tryPlaybook(
  playbook: Playbook,
  test: PlaybookTest,
  options: TrialOptions,
): Promise<Trial> {
  const workspace = await mkdtemp(join(tmpdir(), 'deskhand-test-'));
  const { account: profile } = playbook;
  const world = await openWorld({ ...test.world, ...(profile !== undefined && { profile }) });
  try {
    const setup = { playbook, test, world, workspace, options };
    const first = await observeRun(setup, {
      run: 'r-test',
      earlier: [],
      faults: test.faults,
    });
    if (test.again === undefined) return { first: first.seen };
    const earlier = [{ run: 'r-test', entries: first.entries }];
    const again = await observeRun(setup, { run: 'r-again', earlier, faults: [] });
    return { first: first.seen, again: again.seen };
  } finally {
    await world.close();
    await rm(workspace, { recursive: true, force: true });
  }
}

interface Setup {
  readonly playbook: Playbook;
  readonly test: PlaybookTest;
  readonly world: PrivateWorld;
  readonly workspace: string;
  readonly options: TrialOptions;
}

interface Turn {
  readonly run: string;
  /** Records of the runs before this one in the same world. */
  readonly earlier: readonly RunRecord[];
  /** Faults for the run. The plan is made without faults; they apply from the first request of the run. */
  readonly faults: readonly Command[];
}

/** One run from its plan to its end, with everything that can be observed. */
async function observeRun(
  setup: Setup,
  turn: Turn,
): Promise<{ readonly seen: Observation; readonly entries: readonly Entry[] }> {
  const { world, workspace } = setup;
  const recorded: Recorded = { entries: [], notices: [] };
  const before = new Set(world.orders().map(({ orderId }) => orderId));
  const held = world.positions();
  const ending = await planAndRun(setup, turn, recorded);
  world.arm([]);
  const seen: Observation = {
    journal: {},
    outputs: {},
    ...ending,
    orders: world.orders().filter(({ orderId }) => !before.has(orderId)),
    positions: changedPositions(held, world.positions()),
    files: await filesUnder(workspace),
    notices: recorded.notices,
  };
  return { seen, entries: recorded.entries };
}

/** The entries and notices that a run records while it is executed. */
interface Recorded {
  readonly entries: Entry[];
  readonly notices: SentNotice[];
}

type Ending = Pick<Observation, 'outcome' | 'exit'> & Partial<Observation>;

async function planAndRun(setup: Setup, turn: Turn, recorded: Recorded): Promise<Ending> {
  const { test, world } = setup;
  const job: PrivateRun = {
    ...setup,
    runId: turn.run,
    given: test.inputs,
    ledgerOf: (destination) => ledgerOn(destination, turn.earlier),
  };
  const account = world.own();
  let plan: Plan | undefined;
  try {
    const prepared = await planInside(job, account);
    plan = prepared.plan;
    const broken = brokenIn(plan);
    if (broken !== undefined) {
      return { ...notStarted('guard', exits.heldBack, broken), plan: planView(plan) };
    }
    world.arm(turn.faults);
    const result = await runInside(job, account, prepared, {
      earlier: [],
      journal: journalOver(nowhere, world.clock, emptyJournal),
      notify: async (_address, notice) => {
        recorded.notices.push(sentNotice(notice));
      },
      onEntry: (entry) => recorded.entries.push(entry),
    });
    return { ...runView(recorded.entries, result), plan: planView(plan) };
  } catch (error) {
    if (!(error instanceof DeskhandError) || error.actor === 'ours') throw error;
    const { code, exit, message } = error;
    return { ...notStarted(code, exit, message), ...(plan && { plan: planView(plan) }) };
  }
}

/** The ledger of earlier runs for an account of the world, in which each account has one key. */
function ledgerOn({ keyFingerprint }: Destination, earlier: readonly RunRecord[]): Ledger {
  return new PastWrites(earlier).of({
    standingOf: (recorded) => (recorded.keyFingerprint === keyFingerprint ? 'same' : 'other'),
  });
}

function notStarted(code: string, exit: ExitCode, message: string): Ending {
  return { outcome: 'not-started', exit, trouble: { code, message } };
}

function sentNotice({ text, subject, page, table, attached }: StepNotice): SentNotice {
  const names = table?.columns.map(({ name }) => name);
  return {
    text,
    ...(subject !== undefined && { subject }),
    ...(page && { page: page.file }),
    ...(table && names && { table: [names, ...table.rows] }),
    ...(attached && { attach: attached.map(({ file }) => file) }),
  };
}

/** A journal that is only kept in memory, because the world is temporary. */
const nowhere: AppendFile = {
  write: () => Promise.resolve(),
  sync: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

async function filesUnder(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name))] as const),
    ),
  );
}
