/** A life over a state store, opened as the command line opens a run. */
import type { Millis } from '../../../src/base/clock.ts';
import type { Destination, Entry, Event } from '../../../src/engine/journal/entry.ts';
import { itself, type FileOver, type Journal } from '../../../src/engine/journal/journal.ts';
import { createRun, hasBegun, openRun } from '../../../src/engine/journal/runs.ts';
import type { Opened, StateStore } from '../../../src/stores/store.ts';
import { afterEachTest } from '../../support/cleanup.ts';
import type { TestLife, TestLifeOptions } from './backend.ts';
import { dyingFile, lifeOn, runId, type Mortal } from './life.ts';

export const destination: Destination = {
  profile: 'main',
  target: 'sandbox',
  host: 'exchange.test',
  keyFingerprint: '00000000',
};

const leftOpen: Journal[] = [];
afterEachTest(() =>
  Promise.all(leftOpen.splice(0).map((journal) => journal.close().catch(() => undefined))),
);

export interface Begun {
  readonly store: StateStore;
  readonly stateDir: string;
  /** When the run was planned, by the exchange's clock. */
  readonly observedAt: Millis;
}

export async function lifeInStore(
  { store, stateDir, observedAt }: Begun,
  process: Mortal,
  options: TestLifeOptions,
): Promise<TestLife> {
  const { clock } = options;
  await store.sync();
  const isResumed = await hasBegun(stateDir, runId);
  const hold = await store.claim({
    run: runId,
    playbook: 'contract',
    accounts: [destination],
    isResumed,
    now: async () => clock.now(),
    observedAt,
  });
  const over: FileOver = (file) => (hold.over ?? itself)(dyingFile(file, process));
  const header = {
    run: runId,
    playbook: 'contract',
    destination,
    createdAt: observedAt,
    program: 'test',
  };
  const { journal, entries } = isResumed
    ? await openRun(stateDir, runId, clock, [], over)
    : { journal: await createRun(stateDir, header, clock, over), entries: [] };
  leftOpen.push(journal);
  const opened = await hold.open({ journal, entries });
  const noted = await recordOpening(opened, observedAt);
  const earlier = [...opened.entries, ...noted];
  return lifeOn(options, process, opened.journal, earlier, hold.lost);
}

/** The first entries of a life, as a run records them. */
function recordOpening(
  { journal, entries, unreported }: Opened,
  time: Millis,
): Promise<readonly Entry[]> {
  const started: Event = {
    kind: 'started',
    run: runId,
    playbook: { name: 'contract', file: 'contract.yaml', digest: '', text: '' },
    destination,
    inputs: {},
    time,
    program: 'test',
    naming: 2,
    steps: [],
  };
  const events = [entries.length === 0 ? started : ({ kind: 'resumed' } as const)];
  return Promise.all(
    [...events, ...(unreported ? [unreported] : [])].map((e) => journal.append(e)),
  );
}
