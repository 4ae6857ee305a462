/** A plan is not queued beside a run that another machine left unfinished. */
import { expect, test } from 'vitest';
import { standingClock } from '../../src/base/clock.ts';
import type { Config } from '../../src/config/load.ts';
import { contextOf } from '../../src/embedding/context.ts';
import { createRun } from '../../src/journal/runs.ts';
import { setAsideEvent } from '../../src/journal/unfinished.ts';
import { refuseBlocked } from '../../src/session/running/queued.ts';
import { live } from '../support/desk-setup.ts';
import { doubtRun } from '../support/entries.ts';
import type { Event } from '../../src/journal/entry.ts';
import { start, wanted } from './machines.ts';
import { machineOn, type SharedMachine } from './shared/machines.ts';
import { SimulatedDatabase } from './shared/simulated.ts';

const clock = standingClock(start);
const own = { playbook: 'desk-setup', accounts: [live] };

/** The run of a machine, as the others see it. */
async function publish(
  { store, stateDir }: SharedMachine,
  run: string,
  more: readonly Event[] = [],
): Promise<void> {
  const hold = await store.claim(wanted(run, own));
  const header = { run, playbook: 'desk-setup', destination: live, createdAt: start, program: 't' };
  const journal = await createRun(stateDir, header, clock, hold.over);
  const opened = await hold.open({ journal, entries: [] });
  const events = doubtRun().map(({ seq: _seq, at: _at, ...event }) => event);
  for (const event of [...events, ...more]) await opened.journal.append(event as Event);
  await opened.journal.close();
  await hold.release();
}

function planOf(run: string, name = 'desk-setup') {
  const file = `${name}.yaml`;
  return { run, playbook: { name, file, digest: '', text: '' }, destination: live, steps: [] };
}

async function queueBeside(more: readonly Event[] = []) {
  const database = new SimulatedDatabase(standingClock(0));
  const [a, b] = [0, 1].map(() => machineOn(() => database.connect(), clock));
  if (a === undefined || b === undefined) throw new Error('no machines');
  await publish(a, 'r-9d1f', more);
  const state = { store: 'postgres', url: { env: 'DB' }, lease: 6_000 };
  const config = { stateDir: b.stateDir, state, profiles: new Map(), initial: 'sandbox' };
  const context = { ...contextOf({ env: {} }, [], () => undefined), store: b.store };
  return (run: string, name?: string): Promise<void> =>
    refuseBlocked(planOf(run, name), config as unknown as Config, context);
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
