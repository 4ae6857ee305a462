/** A run that waits for people: what they sign lets exactly what they saw go, and nothing else does. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import {
  annsRepository,
  gatedPlaybook,
  waitingRun,
  type WaitingRun,
} from '../support/waiting-run.ts';
import { webhook } from '../app/notification/recipients.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { ownOrders } from './ladder.ts';

const ann = keyOf('step-ann'); // writes the playbook
const ben = keyOf('step-ben');
const cara = keyOf('step-cara');
const stranger = keyOf('step-stranger');
const signers = `ann@desk.example ${publicOf(ann)}
ben@desk.example ${publicOf(ben)}
cara@desk.example ${publicOf(cara)}
`;

interface Place {
  readonly cwd: string;
  readonly at: (...words: string[]) => Promise<Ended>;
}

function repository(text = gatedPlaybook(), more = ''): Place {
  const approve = `approve: { by: other, signers: ./allowed_signers, records: approvals, plans: false }`;
  const cwd = annsRepository({
    'gated.yaml': text,
    'deskhand.yaml': `profiles: { main: { ${approve}${more} } }\n`,
    allowed_signers: signers,
  });
  return { cwd, at: (...words) => deskhand(words, { cwd }) };
}

const waiting = ({ cwd }: Place, words: readonly string[], env = {}): Promise<WaitingRun> =>
  waitingRun(cwd, words, env);

const recordsOf = ({ cwd }: Place): readonly string[] =>
  existsSync(join(cwd, 'approvals')) ? readdirSync(join(cwd, 'approvals')) : [];

test('a run waits, says what to type, and sends what another person approved', async () => {
  const place = repository();
  const run = await waiting(place, ['run', 'gated.yaml']);
  expect(run.output()).toMatch(/consent waits for an approval until .* UTC: deskhand approve r-/);
  expect(await ownOrders(place.cwd)).toEqual([]);

  const runs = await place.at('__complete', 'bash', 'approve', '');
  expect(runs.stdout).toContain(run.run);
  const steps = await place.at('__complete', 'bash', 'approve', run.run, '');
  expect(steps.stdout).toContain('consent');
  const listed = await place.at('runs', 'list');
  expect(listed.stdout).toContain('waits for approval of consent');

  const own = await place.at('approve', run.run, 'consent', '--key', ann);
  expect([own.code, own.stderr]).toEqual([5, expect.stringContaining('ann@desk.example wrote it')]);
  const unknown = await place.at('approve', run.run, '--key', stranger);
  expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining('unknown key')]);
  const shown = await place.at('runs', 'show', run.run);
  expect(shown.stdout).toContain('waits for approval by one person until');

  const approved = await place.at('approve', run.run, 'consent', '--key', ben);
  expect([approved.code, approved.stdout]).toEqual([
    0,
    expect.stringMatching(/^approved consent of r-\S+ as ben@desk.example \(SHA256:/),
  ]);
  expect(approved.stderr).toMatch(
    /consent asks one person who did not write or start it, until .* left:\n {2}A bid at [\d.]+\?\nwhat it lets go:\n {2}bid {2}BTCUSDT open long 0\.010 @ [\d,.]+/,
  );
  expect(await run.ended).toBe(0);
  expect(run.output()).toContain('approved by ben@desk.example');
  expect(await ownOrders(place.cwd)).toHaveLength(1);

  const again = await place.at('approve', run.run, '--key', cara);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('no step of r-')]);
  expect((await place.at('runs', 'replay', run.run)).code).toBe(0);
  const { orders } = JSON.parse((await place.at('orders', '-o', 'json')).stdout);
  expect(orders).toMatchObject([{ address: 'bid', approvedBy: ['ben@desk.example'] }]);
});

test('a killed run waits until the same time when it is resumed, and takes what was signed meanwhile', async () => {
  const place = repository();
  const first = await waiting(place, ['run', 'gated.yaml']);
  const [, until = ''] = /approval until (\S+ \S+) UTC/.exec(first.output()) ?? [];
  await first.kill();
  const second = await waiting(place, ['resume', first.run]);
  expect(second.output()).toContain(`approval until ${until} UTC`);
  await second.kill();
  expect((await place.at('approve', first.run, '--key', ben)).code).toBe(0);
  const resumed = await place.at('resume', first.run);
  expect([resumed.code, await ownOrders(place.cwd)]).toEqual([0, [expect.any(String)]]);
  expect(resumed.stdout + resumed.stderr).not.toContain('waits for an approval until');
  const entries = await place.at('runs', 'show', first.run, '-o', 'ndjson');
  expect(entries.stdout.match(/"kind":"asked"/g)).toHaveLength(1);
});

test('a person declines: nothing is sent, and no resume asks again', async () => {
  const place = repository();
  const run = await waiting(place, ['run', 'gated.yaml']);
  const declined = await place.at('decline', run.run, '--key', ben, '--comment', 'too large');
  expect(declined.stdout).toMatch(/^declined consent of r-/);
  expect([await run.ended, run.output()]).toEqual([
    5,
    expect.stringContaining('ben@desk.example declined what follows: too large'),
  ]);
  const resumed = await place.at('resume', run.run);
  expect([resumed.code, resumed.stderr]).toEqual([5, expect.not.stringContaining('waits for')]);
  expect(await ownOrders(place.cwd)).toEqual([]);
});

test('a record for another run does not count, and one that was changed stops the run', async () => {
  const place = repository();
  const first = await waiting(place, ['run', 'gated.yaml']);
  expect((await place.at('approve', first.run, '--key', ben)).code).toBe(0);
  expect(await first.ended).toBe(0);
  const [record = ''] = recordsOf(place);

  const second = await waiting(place, ['run', 'gated.yaml']);
  const folder = join(place.cwd, 'approvals');
  copyFileSync(join(folder, record), join(folder, record.replace(first.run, second.run)));
  await expect
    .poll(() => second.output())
    .toContain(`it is for run ${first.run}, not ${second.run}`);
  expect(await ownOrders(place.cwd)).toHaveLength(1);
  const text = readFileSync(join(folder, record), 'utf8').replaceAll(first.run, second.run);
  writeFileSync(join(folder, `${second.run}-approve-0.approval`), text);
  expect([await second.ended, second.output()]).toEqual([
    5,
    expect.stringContaining('cannot be trusted'),
  ]);
  expect(await ownOrders(place.cwd)).toHaveLength(1);
});

test('the step can ask for more people, and for some of them only', async () => {
  const names = '[ben@desk.example, cara@desk.example]';
  const place = repository(gatedPlaybook(`by: ${names}, count: 2, for: 10m`));
  const run = await waiting(place, ['run', 'gated.yaml']);
  expect((await place.at('approve', run.run, '--key', ben)).code).toBe(0);
  const offer = await place.at('approve', run.run, '--unsigned', '-o', 'json');
  expect(JSON.parse(offer.stdout)).toMatchObject({
    required: { by: 'other', count: 2, approved: [{ who: 'ben@desk.example' }] },
  });
  expect(await ownOrders(place.cwd)).toEqual([]);
  expect((await place.at('approve', run.run, '--key', cara)).code).toBe(0);
  expect(await run.ended).toBe(0);
});

test('a record that is signed elsewhere is checked before it is saved', async () => {
  const place = repository();
  const run = await waiting(place, ['run', 'gated.yaml']);
  const unsigned = await place.at('approve', run.run, '--unsigned');
  writeFileSync(join(place.cwd, 'record'), unsigned.stdout);
  const sign = ['-Y', 'sign', '-f', ben, '-n', 'approval@deskhand', 'record'];
  execFileSync('ssh-keygen', sign, { cwd: place.cwd, stdio: 'pipe' });
  const signature = readFileSync(join(place.cwd, 'record.sig'), 'utf8');
  writeFileSync(join(place.cwd, 'signed'), `${unsigned.stdout}${signature}`);
  const wrong = await place.at('decline', run.run, '--record', 'signed');
  expect([wrong.code, wrong.stderr]).toEqual([
    5,
    expect.stringContaining('not a record to decline'),
  ]);
  const saved = await place.at('approve', run.run, '--record', 'signed', '-o', 'json');
  expect(JSON.parse(saved.stdout)).toMatchObject({ who: 'ben@desk.example', step: 'consent' });
  expect(await run.ended).toBe(0);
});

test('the recipients of the profile are told that a step waits, with the command to type', async () => {
  const hook = await webhook();
  onTestFinished(hook.close);
  const more = ', notify: { webhook: { url: { env: HOOK }, on: [approval-wanted] } }';
  const place = repository(gatedPlaybook('for: 2s'), more);
  const run = await waiting(place, ['run', 'gated.yaml'], {
    HOOK: `http://127.0.0.1:${hook.port}/`,
  });
  expect([await run.ended, run.output()]).toEqual([5, expect.stringContaining('unanswered')]);
  expect(hook.posted).toHaveLength(1);
  expect(hook.posted[0]?.body).toContain(`deskhand approve ${run.run} consent`);
});

test('a plan is refused if nobody could approve, and a run if the authors are not known', async () => {
  const place = repository(gatedPlaybook('by: [nobody@desk.example], for: 1m'), ', plan: {}');
  writeFileSync(join(place.cwd, 'deskhand.yaml'), 'profiles: { main: {} }\n');
  const none = await place.at('plan', 'gated.yaml');
  expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('names nobody who may')]);
  const other = repository();
  writeFileSync(join(other.cwd, 'gated.yaml'), `${gatedPlaybook()}# changed\n`);
  const changed = await other.at('run', 'gated.yaml');
  expect([changed.code, changed.stderr]).toEqual([
    5,
    expect.stringContaining('is committed with another text'),
  ]);
});

test('an answer that is merged into the main branch of origin reaches a run in another clone', async () => {
  const place = repository();
  const origin = folderWith({});
  const git = (cwd: string, ...words: string[]): unknown =>
    execFileSync('git', words, { cwd, stdio: 'pipe' });
  git(origin, 'init', '-q', '--bare', '-b', 'main');
  git(place.cwd, 'remote', 'add', 'origin', origin);
  git(place.cwd, 'push', '-q', 'origin', 'HEAD:main');
  const run = await waiting(place, ['run', 'gated.yaml']);
  const clone = folderWith({});
  git(clone, 'clone', '-q', origin, '.');
  git(clone, 'config', 'user.email', 'ben@desk.example');
  git(clone, 'config', 'user.name', 'Ben');
  // What a person would read from a shared state: here it is copied, and the answer is not.
  cpSync(join(place.cwd, '.deskhand'), join(clone, '.deskhand'), { recursive: true });
  const approved = await deskhand(['approve', run.run, '--key', ben], { cwd: clone });
  expect([approved.code, approved.stderr]).toEqual([0, expect.any(String)]);
  git(clone, 'add', 'approvals');
  git(clone, 'commit', '-qm', 'Approve the bid');
  git(clone, 'push', '-q', 'origin', 'HEAD:main');
  expect([await run.ended, recordsOf(place)]).toEqual([0, []]);
  expect(run.output()).toContain('approved by ben@desk.example');
  expect(await ownOrders(place.cwd)).toHaveLength(1);
});
