/** What people are told of runs that one machine could not do or not continue, over any store. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { deskhand } from '../cli/deskhand.ts';
import { files } from '../cli/ladder.ts';
import { hurried, killed, loseSecondAnswer, underWay } from '../cli/under-way.ts';
import { webhook } from '../app/notification/recipients.ts';
import { ask } from './elsewhere.ts';
import { expectOrders, folder, follow, isLost, planned, type, worker, type Desk } from './desk.ts';

/** A checkout in which the playbook was changed. */
function otherCheckout(all: Desk): string {
  const cwd = folder(all);
  writeFileSync(join(cwd, 'ladder.yaml'), files['ladder.yaml'].replace('0.030', '0.060'));
  return cwd;
}

/** A worker was killed with an order in doubt, and the only other one may not continue the run: it notifies. */
export async function halfDone(all: Desk): Promise<void> {
  const cwd = folder(all);
  const { file, run } = await planned(all, cwd);
  await loseSecondAnswer(all.exchange);
  const first = await worker(all);
  const followed = follow(all, cwd, file);
  while (!(await isLost(all))) expect(first.child.exitCode).toBe(null);
  first.child.kill('SIGKILL');
  const hook = await webhook([]);
  const elsewhere = otherCheckout(all);
  const path = join(elsewhere, 'deskhand.yaml');
  const notify = 'main: { notify: { webhook: { url: { env: HOOK } } },';
  writeFileSync(path, readFileSync(path, 'utf8').replace('main: {', notify));
  const env = { HOOK: `http://127.0.0.1:${hook.port}/token-1234567890` };
  const wrong = await worker(all, env, elsewhere);
  const { code, stderr } = await followed;
  const words = [
    /ladder\.yaml is not what plan p-\w+ was made from; 1 write sent; in doubt: orders\[39500\.0\] \(BTCUSDT/,
    new RegExp(`then \`deskhand resume ${run} --queue\``),
    /error\[job\] \S+-\d+-\w{4}: ladder/, // the worker
  ];
  for (const each of words) expect(stderr).toMatch(each);
  expect([code, stderr]).toEqual([6, expect.not.stringContaining('nothing was sent')]);
  const logged = await ask(all, folder(all), ['runs', 'logs', '-f', run]);
  expect([logged.code, logged.stderr]).toEqual([6, expect.stringMatching(words[0] ?? '')]);
  await expectOrders(all, 2);
  await expect.poll(() => hook.posted.length).toBe(1);
  const notice = JSON.parse(hook.posted[0]?.body ?? '');
  expect(notice).toMatchObject({ event: 'in-doubt', run });
  expect(JSON.stringify(notice)).toContain('ladder.yaml is not what plan');
  hook.close();
  wrong.child.kill('SIGTERM');

  await worker(all, hurried(all.exchange));
  const resumed = await ask(all, cwd, ['resume', run, '--queue', '--follow']);
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
  expect(resumed.stdout).toContain('3 of 3 orders');
  await expectOrders(all, 3);
}

/** A run that died on another machine has the account; a job waits for it, and its resume goes first. */
export async function holderGoesFirst(all: Desk): Promise<void> {
  const cwd = folder(all);
  await loseSecondAnswer(all.exchange);
  const under = await underWay(all.exchange, { cwd, env: all.keys });
  await killed(under);
  const other = folder(all);
  const words = ['plan', '1.yaml', '--var', 'rungs=1', '--out', '1.json'];
  expect((await type(all, other, words)).code).toBe(0);
  const following = ask(all, other, ['run', '1.json', '--queue', '--follow']);
  await worker(all, hurried(all.exchange));
  const waits = new RegExp(
    `waits: run ${under.run} began on .+ and did not report its end: it has main since \\d{4}-`,
  );
  const shown = async (...command: string[]): Promise<string> => {
    const { stdout, stderr } = await ask(all, other, command);
    return (stdout + stderr).replaceAll(/\s+/g, ' ');
  };
  await expect.poll(() => shown('workers'), { timeout: 60_000 }).toMatch(waits);
  expect(await shown('runs', 'list')).toMatch(waits);
  const resumed = await ask(all, other, ['resume', under.run, '--queue', '--follow']);
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
  const followed = await following;
  expect([followed.code, followed.stderr]).toEqual([0, expect.stringMatching(waits)]);
  await expectOrders(all, 4);
}

/** A machine with another checkout gives jobs back; without a healthy one they end, and are queued again. */
export async function oneBadMachine(all: Desk): Promise<void> {
  const cwd = folder(all);
  const { file, run } = await planned(all, cwd);
  const wrong = await worker(all, {}, otherCheckout(all));
  const refused = await follow(all, cwd, file);
  const because = 'ladder.yaml is not what plan';
  expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining(because)]);
  const rest = await ask(all, cwd, ['resume', run, '--queue']);
  expect([rest.code, rest.stderr]).toEqual([
    2,
    expect.stringMatching(/never began: .+is not what/),
  ]);
  expect(rest.stderr).toContain('deskhand run PLAN --queue');

  const healthy = await worker(all);
  healthy.child.kill('SIGSTOP');
  const following = follow(all, cwd, file);
  const workers = async (): Promise<string> =>
    (await ask(all, cwd, ['workers'])).stdout.replaceAll(/\s+/g, ' ');
  await expect.poll(workers, { timeout: 60_000 }).toMatch(/takes nothing for \d+ s: .*is not what/);
  healthy.child.kill('SIGCONT');
  const followed = await following;
  expect([followed.code, followed.stderr]).toEqual([0, expect.any(String)]);
  expect(wrong.said()).toContain('given back');
  await expectOrders(all, 3);
}

/** A job that was cancelled before its run began is queued again by the same plan. */
export async function cancelledIsQueuedAgain(all: Desk): Promise<void> {
  const cwd = folder(all);
  const { file, run } = await planned(all, cwd);
  expect((await ask(all, cwd, ['run', file, '--queue'])).code).toBe(0);
  const cancelled = await ask(all, cwd, ['runs', 'cancel', run]);
  expect([cancelled.code, cancelled.stdout]).toEqual([
    0,
    expect.stringContaining('deskhand run PLAN --queue'),
  ]);
  const waited = await ask(all, cwd, ['run', file, '--queue', '--wait', '1s']);
  expect([waited.code, waited.stderr]).toEqual([5, expect.stringContaining('it was withdrawn')]);
  await worker(all);
  expect((await follow(all, cwd, file)).code).toBe(0);
  await expectOrders(all, 3);
}

const ben = keyOf.bind(undefined, 'told-ben');

/** The approval lies in the folder of the person who queued the run; the rest is queued from another one. */
export async function approvalsTravel(all: Desk): Promise<void> {
  const checkout = (): string => {
    const cwd = folder(all);
    const path = join(cwd, 'deskhand.yaml');
    const rules = 'approve: { by: anyone, signers: ./allowed_signers }';
    writeFileSync(path, readFileSync(path, 'utf8').replace('main: {', `main: { ${rules},`));
    writeFileSync(join(cwd, 'allowed_signers'), `ben@desk.example ${publicOf(ben())}\n`);
    return cwd;
  };
  const cwd = checkout();
  const { file, run } = await planned(all, cwd);
  const approved = await deskhand(['approve', file, '--key', ben()], { cwd, env: all.reviewer });
  expect([approved.code, approved.stderr]).toEqual([0, expect.any(String)]);
  await loseSecondAnswer(all.exchange);
  await worker(all, hurried(all.exchange), checkout());
  const following = follow(all, cwd, file);
  while (!(await isLost(all))) await sleep(50);
  expect((await ask(all, cwd, ['runs', 'cancel', run])).code).toBe(0);
  expect((await following).code).not.toBe(0);
  const resumed = await ask(all, checkout(), ['resume', run, '--queue', '--follow']);
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
  await expectOrders(all, 3);
}
