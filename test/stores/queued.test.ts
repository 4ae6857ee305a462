/** A plan is not queued beside a run that another machine left unfinished. */
import { describe, expect, test } from 'vitest';
import { standingClock } from '../../src/base/clock.ts';
import type { Config } from '../../src/app/config/load.ts';
import { contextOf } from '../../src/app/embedding/surroundings.ts';
import { identityOf } from '../../src/engine/journal/identity.ts';
import { createRun } from '../../src/engine/journal/runs.ts';
import { setAsideEvent } from '../../src/engine/journal/unfinished.ts';
import type { NoteRecord } from '../../src/app/running/begun.ts';
import { refuseBlocked, refuseContinuing } from '../../src/app/running/queued.ts';
import { begunRun } from '../../src/app/running/resume.ts';
import { live } from '../support/desk-setup.ts';
import { doubtRun } from '../support/entries.ts';
import type { Entry, Event } from '../../src/engine/journal/entry.ts';
import { start, wanted } from './machines.ts';
import { machineOn, type SharedMachine } from './shared/machines.ts';
import { SimulatedDatabase } from './shared/simulated.ts';

const clock = standingClock(start);
const own = { playbook: 'desk-setup', accounts: [live] };

/** The same event of a run, whose writes are done once per run. */
function madeBy(run: string, event: Event): Event {
  if (event.kind === 'started') return { ...event, run };
  if (event.kind !== 'intended') return event;
  const { address } = event;
  return { ...event, identity: identityOf({ per: 'run', run }, address, null) };
}

/** The run of a machine, as the others see it. */
async function publish(
  { store, stateDir }: SharedMachine,
  run: string,
  more: readonly Event[] = [],
  from: readonly Entry[] = doubtRun(),
): Promise<void> {
  const hold = await store.claim(wanted(run, own));
  const header = { run, playbook: 'desk-setup', destination: live, createdAt: start, program: 't' };
  const journal = await createRun(stateDir, header, clock, hold.over);
  const opened = await hold.open({ journal, entries: [] });
  const events = from.map(({ seq: _seq, at: _at, ...event }) => madeBy(run, event as Event));
  for (const event of [...events, ...more]) await opened.journal.append(event);
  await opened.journal.close();
  await hold.release();
}

function planOf(run: string, name = 'desk-setup') {
  const file = `${name}.yaml`;
  return { run, playbook: { name, file, digest: '', text: '' }, destination: live, steps: [] };
}

/** What the other of two machines sees of the run of the first. */
async function afterRun(more: readonly Event[] = [], from?: readonly Entry[]) {
  const database = new SimulatedDatabase(standingClock(0));
  const [a, b] = [0, 1].map(() => machineOn(() => database.connect(), clock));
  if (a === undefined || b === undefined) throw new Error('no machines');
  await publish(a, 'r-9d1f', more, from);
  const state = { store: 'postgres', url: { env: 'DB' }, lease: 6_000 };
  const config = { stateDir: b.stateDir, state, profiles: new Map(), initial: 'sandbox' };
  const context = { ...contextOf({ env: {} }, [], () => undefined), store: b.store };
  return { first: a, store: b.store, config: config as unknown as Config, context };
}

async function queueBeside(more: readonly Event[] = []) {
  const { config, context } = await afterRun(more);
  return (run: string, name?: string): Promise<void> =>
    refuseBlocked(planOf(run, name), config, context);
}

test('it is refused with the words of a run, and nothing else is', async () => {
  const queue = await queueBeside();
  await expect(queue('r-new')).rejects.toMatchObject({
    code: 'unfinished',
    exit: 5,
    message: expect.stringMatching(/^blocked: run r-9d1f of .+ did not end: .+; nothing was sent$/),
    hint: expect.stringContaining('deskhand runs set-aside r-9d1f --reason WHY'),
  });
  await queue('r-new', 'other');
  await queue('r-9d1f'); // its own job
});

test('it is queued when a person set that run aside', async () => {
  const queue = await queueBeside([setAsideEvent({ who: 'ann', reason: 'cancelled by hand' })]);
  await queue('r-new');
});

describe('the rest of a run', () => {
  /** Killed between two orders. */
  const killed = doubtRun().slice(
    0,
    doubtRun().findLastIndex(({ kind }) => kind === 'intended'),
  );
  const queueRest = async (more: readonly Event[], later?: string): Promise<void> => {
    const { first, config, context } = await afterRun(more, killed);
    if (later !== undefined) await publish(first, later);
    const note: NoteRecord = (entries) => entries;
    const begun = await begunRun('r-9d1f', note, config, context);
    await refuseContinuing(begun, config, context);
  };

  test('is queued', async () => {
    await expect(queueRest([])).resolves.toBeUndefined();
  });

  test('is refused if a person set the run aside', async () => {
    const word = setAsideEvent({ who: 'ann', reason: 'cancelled by hand' });
    await expect(queueRest([word])).rejects.toThrow(
      /r-9d1f was set aside by ann .+ it is not continued; nothing was sent/,
    );
  });

  test('is refused if a later run on another machine did it', async () => {
    await expect(queueRest([], 'r-a0b1')).rejects.toThrow(
      /r-a0b1 of the same playbook sent its writes after r-9d1f began/,
    );
  });
});
