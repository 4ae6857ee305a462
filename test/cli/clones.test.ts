/** Clones of one repository that look like one machine: the orders of a run are placed once. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, gitEnv, hub } from '../state-store/machines.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { files, ownOrders } from './ladder.ts';
import { places } from './places.ts';
import { startSandbox, type Started } from './sandbox.ts';
import { control, killed, loseSecondAnswer, underWay, type Begun } from './under-way.ts';

const configOf = ({ baseUrl }: Started): string => `profile: main
profiles: { main: { target: sandbox, base-url: "${baseUrl}" } }
state: { store: git, lease: 2m }
`;

interface Fleet {
  readonly exchange: Started;
  readonly bare: string;
  readonly env: Readonly<Record<string, string>>;
}

/** On an exchange that accepts duplicate clientOids. */
async function fleet(): Promise<Fleet> {
  const exchange = await startSandbox();
  await control(exchange, 'POST', 'config', { duplicateClientOid: 'accept' });
  await loseSecondAnswer(exchange);
  return { exchange, bare: hub(), env: { ...exchange.env('hedge'), ...gitEnv } };
}

function clone({ bare, exchange }: Fleet): string {
  const folder = join(folderWith(), 'clone');
  git(bare, ['clone', '--quiet', bare, folder]);
  writeFileSync(join(folder, 'deskhand.yaml'), configOf(exchange));
  writeFileSync(join(folder, 'ladder.yaml'), files['ladder.yaml']);
  return folder;
}

const resume = ({ env }: Fleet, { run }: Begun, cwd: string): Promise<Ended> =>
  deskhand(['resume', run], { cwd, env });

async function expectOrders({ env }: Fleet, cwd: string, many: number): Promise<void> {
  const names = await ownOrders(cwd, env);
  expect(names).toHaveLength(many);
  expect(new Set(names).size).toBe(many);
}

const journalIn = (cwd: string, { run }: Begun): string =>
  readFileSync(join(cwd, '.deskhand', 'runs', run, 'journal.ndjson'), 'utf8');

/** The lease expires, and earlier signatures can no longer be accepted. */
const afterLease = ({ exchange }: Fleet): Promise<void> =>
  control(exchange, 'POST', 'clock/advance', { ms: 10 * 60_000 });

const leased = /has a claim on main for at least another/;

test.concurrent('a clone with the machine file and host name of another waits for its lease, whether that is running or not', async () => {
  const at = await fleet();
  const [a, b] = [clone(at), clone(at)];
  const begun = await underWay(at.exchange, { cwd: a, env: at.env });
  mkdirSync(join(b, '.deskhand'));
  copyFileSync(join(a, '.deskhand', 'machine'), join(b, '.deskhand', 'machine'));

  const living = await resume(at, begun, b);
  expect([living.code, living.stderr]).toEqual([5, expect.stringMatching(leased)]);
  await killed(begun);
  const dead = await resume(at, begun, b);
  expect([dead.code, dead.stderr]).toEqual([5, expect.stringMatching(leased)]);
  await expectOrders(at, b, 2);

  await afterLease(at);
  const late = await resume(at, begun, b);
  expect([late.code, late.stderr]).toEqual([0, expect.any(String)]);
  expect(journalIn(b, begun)).toContain('"taken-over"');
  await expectOrders(at, b, 3);
});

test.concurrent('the killed clone itself continues immediately with its journal', async () => {
  const at = await fleet();
  const a = clone(at);
  const begun = await underWay(at.exchange, { cwd: a, env: at.env });
  await killed(begun);
  const again = await resume(at, begun, a);
  expect([again.code, again.stderr]).toEqual([0, expect.any(String)]);
  expect(journalIn(a, begun)).not.toContain('"taken-over"');
  await expectOrders(at, a, 3);
});

test.concurrent('a copy of a clone made during the run counts as another machine', async () => {
  const at = await fleet();
  const a = clone(at);
  const begun = await underWay(at.exchange, { cwd: a, env: at.env });
  const copy = join(folderWith(), 'copy');
  cpSync(a, copy, { recursive: true });
  await killed(begun);
  const early = await resume(at, begun, copy);
  expect([early.code, early.stderr]).toEqual([5, expect.stringMatching(leased)]);
  await afterLease(at);
  const late = await resume(at, begun, copy);
  expect([late.code, late.stderr]).toEqual([0, expect.any(String)]);
  expect(journalIn(copy, begun)).toContain('"taken-over"');
  await expectOrders(at, copy, 3);
  // What remains in the first clone can no longer be used.
  const first = await resume(at, begun, a);
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('nothing to resume')]);
});

test.concurrent.each([
  ['a pod on the volume of another', 'pod'],
  ['a machine after a restart, or one made from its image,', 'restarted'],
] as const)('%s waits for the lease and then continues without a person', async (_, place) => {
  const around = places()?.[place];
  if (around === undefined) return;
  const at = await fleet();
  const a = clone(at);
  const begun = await underWay(at.exchange, { cwd: a, env: at.env, around });
  const living = await resume(at, begun, a);
  expect([living.code, living.stderr]).toEqual([5, expect.stringMatching(leased)]);
  await killed(begun);
  const early = await resume(at, begun, a);
  expect([early.code, early.stderr]).toEqual([5, expect.stringMatching(leased)]);
  await expectOrders(at, a, 2);
  await afterLease(at);
  const late = await resume(at, begun, a);
  expect([late.code, late.stderr]).toEqual([0, expect.any(String)]);
  await expectOrders(at, a, 3);
});

test.concurrent('of three clones that resume one crashed run at once, exactly one continues', async () => {
  const at = await fleet();
  const begun = await underWay(at.exchange, { cwd: clone(at), env: at.env });
  await killed(begun);
  await afterLease(at);
  const clones = [clone(at), clone(at), clone(at)];
  const ends = await Promise.all(clones.map((cwd) => resume(at, begun, cwd)));
  expect(ends.map(({ code }) => String(code)).toSorted()).toEqual(['0', '5', '5']);
  await expectOrders(at, clones[0] ?? '', 3);
});
