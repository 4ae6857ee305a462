/** Runs killed in other places, found by a process that cannot check whether they ended. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';
import { files, ownOrders } from './ladder.ts';
import { places } from './places.ts';
import { startSandbox, type Started } from './sandbox.ts';
import { control, hurried, killed, loseSecondAnswer, underWay } from './under-way.ts';

interface Setup {
  readonly exchange: Started;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A folder and an exchange that accepts duplicate clientOids. */
async function setUp(): Promise<Setup> {
  const exchange = await startSandbox();
  const env = exchange.env('hedge');
  await control(exchange, 'POST', 'config', { duplicateClientOid: 'accept' });
  await loseSecondAnswer(exchange);
  return { exchange, cwd: folderWith(files), env };
}

async function expectThree(at: Setup): Promise<void> {
  const names = await ownOrders(at.cwd, at.env);
  expect(names).toHaveLength(3);
  expect(new Set(names).size).toBe(3);
}

const journalOf = ({ cwd }: Setup, run: string): string =>
  readFileSync(join(cwd, '.deskhand', 'runs', run, 'journal.ndjson'), 'utf8');

const unlock = (run: string, ...flags: string[]): string[] => [
  'runs',
  'unlock',
  run,
  '--comment',
  'the pod was deleted',
  ...flags,
];

test.concurrent('a killed run is resumed on the same machine without a person', async () => {
  const at = await setUp();
  const begun = await underWay(at.exchange, at);
  await killed(begun);
  const resumed = await deskhand(['resume', begun.run], at);
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
  expect(journalOf(at, begun.run)).not.toContain('"taken-over"');
  await expectThree(at);
});

test.concurrent('two pods with one host name on one volume: a running one is respected, an ended one needs a person', async () => {
  const found = places();
  const at = await setUp();
  const begun = await underWay(at.exchange, { ...at, around: found.pod });

  for (const words of [
    ['run', 'ladder.yaml'],
    ['resume', begun.run],
  ]) {
    const { code, stderr } = await deskhand(words, { ...at, around: found.pod });
    expect([code, stderr]).toEqual([5, expect.stringContaining('it is in another container')]);
    expect(stderr).toContain(`deskhand runs unlock ${begun.run} --comment`);
  }
  const listed = await deskhand(['runs', 'list'], { ...at, around: found.pod });
  expect(listed.stderr).toMatch(new RegExp(`${begun.run} .* may be running: it is in another`));

  // A wrong statement frees nothing that the kernel shows as running.
  const wrong = await deskhand(unlock(begun.run), at);
  expect([wrong.code, wrong.stderr]).toEqual([
    5,
    expect.stringContaining('a process on this machine holds it'),
  ]);

  await killed(begun);
  // The pods' host sees their processes with other ids and a different host name.
  const { code, stderr } = await deskhand(['resume', begun.run], at);
  expect([code, stderr]).toEqual([5, expect.stringContaining('may be writing to this account')]);
  expect(await ownOrders(at.cwd, at.env)).toHaveLength(2);

  expect((await deskhand(['runs', 'unlock', begun.run], at)).code).toBe(2);
  const freed = await deskhand(unlock(begun.run), at);
  expect([freed.code, freed.stderr]).toEqual([0, '']);
  const said = readFileSync(join(at.cwd, '.deskhand', 'locks', 'unlocked.ndjson'), 'utf8');
  expect(said).toContain('"comment":"the pod was deleted"');
  await control(at.exchange, 'POST', 'clock/advance', { ms: 120_000 });
  const env = { ...at.env, ...hurried(at.exchange) };
  const resumed = await deskhand(['resume', begun.run], { ...at, env });
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
  expect(journalOf(at, begun.run)).toContain('"taken-over"');
  await expectThree(at);
});

test.concurrent('after a restart a person confirms whether the machine was restarted or copied', async () => {
  const found = places();
  const at = await setUp();
  const begun = await underWay(at.exchange, { ...at, around: found.restarted });
  await killed(begun);
  const { code, stderr } = await deskhand(['resume', begun.run], at);
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining('the machine was restarted since, or it is a copy'),
  ]);
  const doctor = await deskhand(['doctor', '--offline', '-o', 'json'], at);
  expect(doctor.stdout).toContain(
    'may be running: the machine was restarted since, or it is a copy',
  );
  expect(doctor.stdout).toContain(`deskhand runs unlock ${begun.run} --comment`);
  expect((await deskhand(unlock(begun.run, '--restarted'), at)).code).toBe(0);
  const resumed = await deskhand(['resume', begun.run], at);
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
  expect(journalOf(at, begun.run)).not.toContain('"taken-over"');
  await expectThree(at);
});

test.concurrent('a copy of the folder made during the run sends nothing by itself and nothing twice', async () => {
  const at = await setUp();
  const begun = await underWay(at.exchange, at);
  const copy: Setup = { ...at, cwd: folderWith() };
  cpSync(at.cwd, copy.cwd, { recursive: true });
  await killed(begun);
  expect((await deskhand(['resume', begun.run], at)).code).toBe(0);
  await expectThree(at);

  const { code, stderr } = await deskhand(['resume', begun.run], copy);
  expect([code, stderr]).toEqual([5, expect.stringContaining('its folder was copied or restored')]);
  expect((await deskhand(unlock(begun.run), copy)).code).toBe(0);
  await control(at.exchange, 'POST', 'clock/advance', { ms: 120_000 });
  expect((await deskhand(['resume', begun.run], copy)).code).toBe(0);
  await expectThree(at); // each was looked up: the copy’s journal has two
});

test.concurrent('a run that is still running on this machine cannot be unlocked', async () => {
  const at = await setUp();
  const begun = await underWay(at.exchange, at);
  const { code, stderr } = await deskhand(unlock(begun.run), at);
  expect([code, stderr]).toEqual([5, expect.stringContaining('is running on this machine')]);
  expect(stderr).toContain(`kill ${begun.child.pid}`);
  await killed(begun);
  const again = await deskhand(unlock(begun.run), at);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('waits for a person')]);
});

test.concurrent.each([
  ['empty', ''],
  ['cut off', 'abcdefgh'],
  ['of another kind', '{"id":"abcdefghjkmnpqrstvwx"}\n'],
])('a machine file that is %s is named, and nothing is sent', async (_, text) => {
  const cwd = folderWith(files);
  const file = join(cwd, '.deskhand', 'machine');
  mkdirSync(join(cwd, '.deskhand'));
  writeFileSync(file, text);
  const { code, stderr } = await deskhand(['run', 'ladder.yaml'], { cwd });
  expect([code, stderr]).toEqual([5, expect.stringContaining('machine is damaged')]);
  expect(stderr).toContain(`remove it: rm ${file}`);
});

test.concurrent('with a read-only state folder nothing is sent', async () => {
  const found = places();
  const at = await setUp();
  const state = join(at.cwd, '.deskhand');
  mkdirSync(state);
  const around = found.readingOnly(state);
  const { code, stderr } = await deskhand(['run', 'ladder.yaml'], { ...at, around });
  expect([code, stderr]).toEqual([1, expect.stringContaining(state)]);
  expect(await ownOrders(at.cwd, at.env)).toEqual([]);
});
