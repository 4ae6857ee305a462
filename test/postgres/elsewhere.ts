/** What people type on other machines than the one that works, over any store. */
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { begin, deskhand, type Ended } from '../cli/deskhand.ts';
import { hurried, loseSecondAnswer } from '../cli/under-way.ts';
import { minute } from '../../src/base/clock.ts';
import { expectOrders, folder, isLost, planned, type, worker, type Desk } from './desk.ts';
import { pageOn, type Home } from './page.ts';

/** Without a key. */
export const ask = (all: Desk, cwd: string, words: readonly string[]): Promise<Ended> =>
  deskhand(words, { cwd, env: all.reviewer });

export const planQueued = ['plan', 'ladder.yaml', '--queue'] as const;

/** A worker makes a plan as it would be made here, and any machine queues it by its id. */
export async function plansForOthers(all: Desk): Promise<void> {
  const [one, two] = [folder(all), folder(all)];
  await worker(all);
  const words = [...planQueued, '--var', 'rungs=2', '--out', 'plan.json', '--exit-code'];
  const made = await ask(all, one, words);
  expect([made.code, made.stderr]).toEqual([10, '']);
  expect(made.stdout).toMatch(/^Next +deskhand run plan\.json --queue$/m);
  const here = await type(all, one, ['plan', 'ladder.yaml', '--var', 'rungs=2']);
  const shown = ({ stdout }: Ended): string =>
    stdout
      .replace(/\nsaved [^]*/, '')
      .replaceAll(/p-[0-9a-f]{8}/g, 'p-…')
      // The mark price moves between the two plans, and so do the distances from it.
      .replaceAll(/ [\d,.]+ +-[\d.]+ ?%/g, ' MARK …%')
      .replaceAll(/-[\d.]+ ?%/g, '…%');
  expect(shown(made)).toBe(shown(here));
  const saved = readFileSync(join(one, 'plan.json'), 'utf8');
  const { id, run } = JSON.parse(saved);
  expect(existsSync(join(one, '.deskhand', 'plans', `${id}.json`))).toBe(true);
  const queued = await ask(all, two, ['run', id, '--queue', '--follow']);
  expect([queued.code, queued.stderr]).toEqual([0, expect.any(String)]);
  await expectOrders(all, 2);
  const again = await ask(all, two, ['run', id, '--queue']);
  expect([again.code, again.stderr]).toEqual([5, expect.stringContaining(`already ran as ${run}`)]);
  const json = await ask(all, one, [...planQueued, '-o', 'json', '--var', 'rungs=1']);
  expect(JSON.parse(json.stdout).steps[0].actions).toHaveLength(1);
}

/**
 * A log follows a queued run over two workers, of which the first is killed.
 * @param all with a brief lease
 */
export async function logsOver(all: Desk): Promise<{ readonly cwd: string; readonly run: string }> {
  const cwd = folder(all);
  const { file, run } = await planned(all, cwd);
  const env = all.reviewer;
  expect((await deskhand(['run', file, '--queue'], { cwd, env })).code).toBe(0);
  const child = begin(['runs', 'logs', '-f', run], { cwd: folder(all), env });
  const ended = Promise.all([text(child.stdout), once(child, 'close')]);
  const noted = once(child.stderr, 'data');
  expect(String(await noted)).toContain(`${run} waits: no worker is running`);
  await loseSecondAnswer(all.exchange);
  const first = await worker(all);
  while (!(await isLost(all))) expect(first.child.exitCode).toBe(null);
  first.child.kill('SIGKILL');
  await worker(all, hurried(all.exchange));
  const [stdout, [code]] = await ended;
  expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`run ${run} +done`))]);
  expect(stdout).toMatch(/taken over/);
  const seen = stdout.match(/^\S+ \w+\[.*$/gm) ?? [];
  expect([seen.length, new Set(seen).size]).toEqual([3, 3]);
  const later = await type(all, folder(all), ['runs', 'logs', run]);
  expect([later.code, later.stdout]).toEqual([0, stdout]);
  await expectOrders(all, 3);
  return { cwd, run };
}

const rules = 'approve: { by: other, signers: ./allowed_signers }';

/** A checkout whose account requires an approval. */
function guarded(all: Desk): string {
  const cwd = folder(all);
  const path = join(cwd, 'deskhand.yaml');
  const config = readFileSync(path, 'utf8').replace('main: {', `main: { ${rules},`);
  writeFileSync(path, config);
  const key = 'AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
  writeFileSync(join(cwd, 'allowed_signers'), `ann@desk.example ssh-ed25519 ${key}\n`);
  return cwd;
}

/** A plan that was asked for on one machine waits for its approval on the page of every other one. */
export async function plansWaitElsewhere(all: Desk): Promise<void> {
  const page = await pageOn(guarded(all), all.reviewer);
  await worker(all, {}, guarded(all));
  const one = guarded(all);
  const made = await ask(all, one, [...planQueued, '-o', 'json']);
  expect([made.code, made.stderr]).toEqual([0, expect.any(String)]);
  const { id } = JSON.parse(made.stdout);
  const listed = async (): Promise<readonly unknown[]> =>
    (await page.read<{ plans: readonly unknown[] }>('/plans')).plans;
  const waiting = { plan: id, state: 'waiting', profile: 'main', playbook: 'ladder' };
  await expect.poll(listed, { timeout: minute }).toMatchObject([waiting]);
  const { needs } = await page.read<Home>('/home');
  expect(needs).toMatchObject([{ kind: 'approval', plan: id }]);
  expect(await page.read(`/plans/${id}`)).toMatchObject({ plan: id, required: [{ count: 1 }] });
  expect((await ask(all, one, planQueued)).code).toBe(0);
  await expect.poll(listed, { timeout: minute }).toHaveLength(2);
  await page.end();
}
