/** A live account needs its account-id before the first write that must be remembered permanently. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { accountWorld, rungs, said, type AccountWorld } from './account.ts';
import { deskhand, folderWith } from './deskhand.ts';

const live = ({ port }: AccountWorld, more = ''): string =>
  `    base-url: "http://127.0.0.1:${port}"\n    target: live\n${more}`;
const perRun = rungs.replace('once-per: playbook', 'once-per: run');

test('once-per: playbook on a live account without an id is refused before anything is sent', async () => {
  const world = await accountWorld({ 'ladder.yaml': rungs });
  world.profile(live(world));
  for (const verb of ['validate', 'plan', 'run']) {
    const refused = await world.at('first', verb, 'ladder.yaml');
    expect(said(refused)).toEqual([3, expect.stringContaining('PB421')]);
    expect(said(refused)[1]).toContain('add account-id: "…" under profiles.main');
  }
  const offline = await deskhand(['plan', '--offline', 'ladder.yaml'], { cwd: world.cwd });
  expect(said(offline)).toEqual([3, expect.stringContaining('PB421')]);
  const explained = await world.at('first', 'explain', 'PB421');
  expect(explained.stdout).toContain('account-id: "7000000002"');
  // The run itself identifies the account while it lasts.
  world.put('ladder.yaml', perRun);
  expect((await world.at('first', 'plan', 'ladder.yaml')).code).toBe(0);
  expect((await world.at('first', 'validate', 'ladder.yaml')).code).toBe(0);
  world.put('ladder.yaml', rungs);
  world.profile(live(world, '    account-id: 7000000002\n'));
  expect((await world.at('first', 'validate', 'ladder.yaml')).code).toBe(0);
  const unapproved = await world.at('first', 'run', 'ladder.yaml');
  const id = /--approve (p-[0-9a-f]{8})/.exec(unapproved.stderr)?.[1] ?? '';
  expect([unapproved.code, id]).toEqual([5, expect.stringMatching(/^p-/)]);
  expect((await world.at('first', 'run', 'ladder.yaml', '--approve', id)).code).toBe(0);
  expect(await world.orders()).toHaveLength(5);
});

test('a step on another account requires an id for that account', async () => {
  const world = await accountWorld({
    'ladder.yaml': rungs.replace('    uses: futures', '    account: other\n    uses: futures'),
  });
  const own = `target: live, secrets: { env: MAIN }`;
  const other = `  other: { base-url: "http://127.0.0.1:${world.port}", ${own} }`;
  world.profile(live(world, '    account-id: 7000000002\n'), other);
  for (const verb of ['validate', 'plan']) {
    const refused = await world.at('first', verb, 'ladder.yaml');
    expect(said(refused)).toEqual([
      3,
      expect.stringContaining('other is live and has no account-id'),
    ]);
  }
});

test('with shared state every write to a live account requires an account-id', async () => {
  const world = await accountWorld({ 'ladder.yaml': perRun });
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: world.cwd, encoding: 'utf8' });
  const hub = folderWith();
  execFileSync('git', ['init', '--quiet', '--bare', hub]);
  git('init', '--quiet');
  git('remote', 'add', 'origin', hub);
  world.profile(live(world), 'state: { store: git }\n');
  const validated = await world.at('first', 'validate', 'ladder.yaml');
  expect(said(validated)).toEqual([3, expect.stringContaining('which state: git needs')]);
  for (const verb of ['plan', 'run']) {
    const refused = await world.at('first', verb, 'ladder.yaml');
    expect(said(refused)).toEqual([3, expect.stringContaining('which state: git needs')]);
  }
  expect(await world.orders()).toHaveLength(0);
  world.profile(live(world, '    account-id: 7000000002\n'), 'state: { store: git }\n');
  expect((await world.at('first', 'plan', 'ladder.yaml')).code).toBe(0);
});

test('doctor suggests an account-id, and init shows where to set it', async () => {
  const world = await accountWorld({});
  world.profile(live(world));
  const missing = await world.at('first', '-p', 'main', 'doctor', '-o', 'json');
  const about = (stdout: string): unknown =>
    JSON.parse(stdout).findings.filter(({ what }: { what: string }) => what === 'account');
  expect(about(missing.stdout)).toMatchObject([
    { status: 'warning', fix: expect.stringContaining('add account-id: "…" under profiles.main') },
  ]);
  const offline = await world.at('first', '-p', 'main', 'doctor', '--offline', '-o', 'json');
  expect(about(offline.stdout)).toMatchObject([{ status: 'warning' }]);
  world.profile(live(world, '    account-id: 0123\n'));
  const set = await world.at('first', '-p', 'main', 'doctor', '-o', 'json');
  expect(about(set.stdout)).toMatchObject([
    { status: 'ok', message: expect.stringContaining('account-id 0123, with key') },
  ]);
  const folder = folderWith();
  await deskhand(['init', '.'], { cwd: folder });
  const { stdout } = await deskhand(['validate'], { cwd: folder });
  expect(stdout).toContain('market-snapshot');
});
