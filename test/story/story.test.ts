/** A change to an account from branch to orders: two people, a host, machines that are thrown away. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, inject, test } from 'vitest';
import { deskhand } from '../cli/deskhand.ts';
import { checkout, commentsApi, push, put, scratch, type Repository } from '../pipelines/host.ts';
import { git } from '../stores/machines.ts';
import { bensKey, five, team } from './team.ts';

test('branch, failing check, plan, comment, approval, merge, a lost machine, and each order once', async () => {
  // The answer to the fourth order is lost, and the fifth is signed when the machine goes.
  const { world, exchange, repo, secrets, ann, ben, run, resting } = await team({
    'fault.yaml': `version: 1
faults: # the fourth order is executed, and its answer never arrives
  - match: { operation: futures/place-order, nth: 4 }
    when: after-commit
    times: 1
    action: { kind: never, ms: 60000 }
`,
  });
  const at = (...words: string[]) => deskhand(words, { cwd: world, env: exchange.env('hedge') });

  // A branch that does not pass, and one that does.
  git(ann, ['checkout', '--quiet', '-b', 'ladder']);
  put(ann, { 'playbooks/ladder.yaml': five.replace('marginCoin', 'marginCion') });
  const wrong = push(repo, 'ladder', 'a ladder');
  const checked = await run(
    checkout(repo, wrong, ['--depth=1', '--branch=ladder']),
    'deskhand validate',
  );
  expect(checked).toMatchObject({ code: 3, text: expect.stringContaining('marginCion') });
  put(ann, { 'playbooks/ladder.yaml': five });
  expect(await run(ann, 'deskhand validate && deskhand test')).toMatchObject({ code: 0 });
  const planned = await run(
    ann,
    'deskhand plan playbooks/ladder.yaml --expires 2h --out plans/ladder.json -o markdown > plan.md',
  );
  expect(planned).toMatchObject({ code: 0 });

  // The pipeline puts the plan on the pull request.
  const comments = await commentsApi();
  const event = join(world, 'event.json');
  writeFileSync(event, JSON.stringify({ pull_request: { number: 1 } }));
  const commented = await run(ann, 'deskhand comment plan.md && rm plan.md', {
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'desk/books',
    GITHUB_API_URL: comments.url,
    GITHUB_EVENT_PATH: event,
    GITHUB_TOKEN: 'token',
  });
  expect(commented).toMatchObject({ code: 0 });
  expect(comments.bodies().at(-1)).toContain('5 to create');
  await comments.close();
  push(repo, 'ladder', 'a ladder, and its plan');

  // Ben approves what Ann wrote.
  git(ben, ['fetch', '--quiet']);
  git(ben, ['checkout', '--quiet', 'ladder']);
  expect(await run(ben, `deskhand approve plans/ladder.json --key ${bensKey()}`)).toMatchObject({
    code: 0,
  });
  push({ ...repo, clone: ben }, 'ladder', 'approved');

  // Merged, and run on a machine that is thrown away after the fourth order.
  git(ann, ['pull', '--quiet', 'origin', 'ladder']);
  git(ann, ['checkout', '--quiet', 'main']);
  git(ann, ['merge', '--quiet', '--no-ff', '--message', 'merge', 'ladder']);
  git(ann, ['push', '--quiet', 'origin', 'main']);
  const merged = git(ann, ['rev-parse', 'HEAD']);
  const before = await resting();
  expect(await at('sandbox', 'load', 'fault.yaml')).toMatchObject({ code: 0 });
  const lost = checkout(repo, merged, []);
  await runUntilStruck(lost, secrets, exchange.controlUrl);
  const [name = ''] = readdirSync(join(lost, '.deskhand', 'runs'));
  rmSync(lost, { recursive: true });

  // Another clone finds it, waits for its lease, and finishes it.
  const other = checkout(repo, merged, ['--depth=1']);
  const refused = await run(other, 'deskhand run plans/ladder.json');
  expect(refused.code).toBe(5);
  expect(refused.text).toMatch(/this plan was already started as r-\w+/);
  const seen = await run(other, 'deskhand runs list');
  expect(seen.text).toMatch(new RegExp(`${name} on .+ has main to itself`));
  const waits = await run(other, `deskhand resume ${name}`);
  expect(waits).toMatchObject({ code: 5, text: expect.stringContaining('deskhand runs unlock') });
  expect(await at('sandbox', 'advance', '10m')).toMatchObject({ code: 0 });
  const resumed = await run(other, `deskhand resume ${name}`);
  expect(resumed).toMatchObject({
    code: 0,
    text: expect.stringContaining('did not report its end'),
  });
  const after = await resting();
  const placed = after.filter((clientOid) => !before.includes(clientOid));
  expect(placed).toHaveLength(5);
  expect(new Set(placed).size).toBe(5);

  // A second run of the plan is refused on any machine.
  const third = checkout(repo, merged, []);
  const again = await run(third, 'deskhand run plans/ladder.json');
  expect(again).toMatchObject({
    code: 5,
    text: expect.stringContaining(`already ran as ${name}`),
  });

  // One byte of a plan, and of the state.
  changeByte(join(third, 'plans', 'ladder.json'), '"side"');
  expect((await run(third, 'deskhand run plans/ladder.json')).text).toContain('was changed');
  forceState(repo);
  const tampered = await run(checkout(repo, merged, []), `deskhand resume ${name}`);
  expect(tampered).toMatchObject({
    code: 5,
    text: expect.stringContaining('was tampered with'),
  });
  expect(await resting()).toEqual(after);
});

/** Runs the plan, and dies when the exchange has its fourth order. */
async function runUntilStruck(
  cwd: string,
  secrets: Readonly<Record<string, string>>,
  controlUrl: string,
): Promise<void> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [inject('launcher'), 'run', 'plans/ladder.json'], {
    cwd,
    env: { PATH, HOME: scratch(), TMPDIR: tmpdir(), ...secrets },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  for (;;) {
    const faults = await (await fetch(`${controlUrl}/faults`)).text();
    if (/"struck":1/.test(faults)) break;
    if (child.exitCode !== null) throw new Error(`it ended by itself, with ${child.exitCode}`);
  }
  child.kill('SIGKILL');
  await ended;
}

function changeByte(file: string, after: string): void {
  const text = readFileSync(file, 'utf8');
  const at = text.indexOf(after);
  writeFileSync(file, `${text.slice(0, at + 1)}x${text.slice(at + 2)}`);
}

/** Someone rewrites the newest journal of the state by hand. */
function forceState({ bare }: Repository): void {
  const ref = 'refs/heads/deskhand-state';
  const paths = git(bare, ['ls-tree', '-r', '--name-only', ref]).split('\n');
  const path = paths.find((name) => name.endsWith('journal.ndjson')) ?? '';
  const text = `${git(bare, ['show', `${ref}:${path}`])}\n`.replace('"buy"', '"bUy"');
  const id = git(bare, ['hash-object', '-w', '--stdin'], text);
  git(bare, ['read-tree', ref]);
  git(bare, ['update-index', '--cacheinfo', `100644,${id},${path}`]);
  const commit = git(bare, ['commit-tree', git(bare, ['write-tree']), '-p', ref, '-m', 'by hand']);
  git(bare, ['update-ref', ref, commit]);
}
