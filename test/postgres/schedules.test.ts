/** Schedulers of two machines over a real database: an occurrence runs once, whichever comes first. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { minute, systemClock, type Millis } from '../../src/base/clock.ts';
import { begin, deskhand } from '../cli/deskhand.ts';
import { files } from '../cli/ladder.ts';
import { hurried, loseSecondAnswer } from '../cli/under-way.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { brief, desk, expectOrders, folder, isLost, type, type Desk } from './desk.ts';
import { Relay } from './relay.ts';

/** A machine whose only schedule was due a minute ago. */
function scheduled(all: Desk, due: Millis): string {
  const cwd = folder(all);
  const at = new Date(due);
  const cron = `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`;
  const schedule = `schedule:\n  - { cron: "${cron}", timezone: UTC, late: 20m }\nsteps:`;
  writeFileSync(join(cwd, 'ladder.yaml'), files['ladder.yaml'].replace('steps:', schedule));
  return cwd;
}

const dueNow = (): Millis => Math.floor(systemClock.now() / minute - 1) * minute;

const running: ReturnType<typeof begin>[] = [];
afterEachTest(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

interface Serving {
  readonly child: ReturnType<typeof begin>;
  /** Waits until it has printed that. */
  until(text: RegExp): Promise<string>;
}

function serve(cwd: string, env: Readonly<Record<string, string>>): Serving {
  const child = begin(['schedule', 'serve', 'ladder.yaml'], { cwd, env });
  running.push(child);
  child.stdout.resume();
  let said = '';
  child.stderr.on('data', (part) => (said += String(part)));
  return {
    child,
    until: async (text) => {
      while (!text.test(said)) {
        if (child.exitCode !== null) throw new Error(`it ended: ${said}`);
        await Promise.race([once(child.stderr, 'data'), once(child, 'exit')]);
      }
      return said;
    },
  };
}

interface Logged {
  readonly kind: string;
  readonly host?: string;
  readonly run?: string;
  readonly status?: string;
}

async function logOn(all: Desk, cwd: string): Promise<readonly Logged[]> {
  const { stdout } = await type(all, cwd, ['schedule', 'log', '-o', 'json']);
  return JSON.parse(stdout).records;
}

test('of two that serve the same schedule at the same time, one runs it, and both show it', async () => {
  const all = await desk();
  const due = dueNow();
  const folders = [scheduled(all, due), scheduled(all, due)];
  const both = folders.map((cwd) => serve(cwd, all.keys));
  await Promise.all(both.map((one) => one.until(/next ladder/)));
  await Promise.race(both.map((one) => one.until(/done/)));
  for (const cwd of folders) {
    const again = await type(all, cwd, ['schedule', 'run-due', 'ladder.yaml']);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('nothing is due')]);
    expect(await logOn(all, cwd)).toMatchObject([
      { kind: 'taken', host: expect.any(String) },
      { kind: 'ended', status: 'done' },
    ]);
    const list = await type(all, cwd, ['schedule', 'list', 'ladder.yaml']);
    expect(list.stdout).toMatch(/last +.*done/);
  }
  await expectOrders(all, 3);
});

test('two that start the same occurrence without asking each other have one run', async () => {
  const all = await desk();
  const due = dueNow();
  const words = ['run', 'ladder.yaml', '--scheduled-for', new Date(due).toISOString()];
  const ends = await Promise.all(
    [1, 2].map(() => deskhand(words, { cwd: scheduled(all, due), env: all.keys })),
  );
  expect(new Set(ends.map(({ code }) => code))).toEqual(new Set([0, 5]));
  await expectOrders(all, 3);
});

test('the run of a scheduler that was killed is not started again; any machine resumes it', async () => {
  const all = await desk(brief);
  const due = dueNow();
  const [one, two] = [scheduled(all, due), scheduled(all, due)];
  await loseSecondAnswer(all.exchange);
  const first = serve(one, all.keys);
  while (!(await isLost(all))) expect(first.child.exitCode).toBe(null);
  first.child.kill('SIGKILL');
  const second = serve(two, all.keys);
  await second.until(/next ladder/);
  const log = await logOn(all, two);
  expect(log).toMatchObject([{ kind: 'taken' }]);
  const runs = await type(all, two, ['runs', 'list', '-o', 'json']);
  const [run] = /r-[0-9a-z]+/.exec(runs.stdout) ?? [];
  const env = { ...all.keys, ...hurried(all.exchange) };
  for (;;) {
    const resumed = await deskhand(['resume', run ?? ''], { cwd: two, env });
    if (resumed.code === 5 && resumed.stderr.includes('has a claim on')) continue;
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
    break;
  }
  await expectOrders(all, 3);
});

test('a scheduler that was suspended in its run says how the run ended on another machine', async () => {
  const all = await desk(brief);
  const due = dueNow();
  const [one, two] = [scheduled(all, due), scheduled(all, due)];
  await loseSecondAnswer(all.exchange);
  const first = serve(one, all.keys);
  while (!(await isLost(all))) expect(first.child.exitCode).toBe(null);
  first.child.kill('SIGSTOP');
  const runs = await type(all, two, ['runs', 'list', '-o', 'json']);
  const [run = ''] = /r-[0-9a-z]+/.exec(runs.stdout) ?? [];
  const env = { ...all.keys, ...hurried(all.exchange) };
  for (;;) {
    const resumed = await deskhand(['resume', run], { cwd: two, env });
    if (resumed.code === 5 && resumed.stderr.includes('has a claim on')) continue;
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
    break;
  }
  first.child.kill('SIGCONT');
  const said = await first.until(/(?:done|could not start) .* as r-|could not start/);
  expect(said).not.toMatch(/could not start|already ran/);
  expect(await logOn(all, two)).toMatchObject([
    { kind: 'taken' },
    { kind: 'ended', status: 'done', run },
  ]);
  await expectOrders(all, 3);
});

test('without the key of its account, a scheduler leaves the occurrence to another', async () => {
  const all = await desk();
  const due = dueNow();
  const [one, two] = [scheduled(all, due), scheduled(all, due)];
  const left = await deskhand(['schedule', 'run-due', 'ladder.yaml'], {
    cwd: one,
    env: all.reviewer,
  });
  expect([left.code, left.stderr]).toEqual([0, expect.stringContaining('is left to schedulers')]);
  const done = await type(all, two, ['schedule', 'run-due', 'ladder.yaml']);
  expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('done')]);
  await expectOrders(all, 3);
});

test('while the database is unreachable nothing runs; when it is back, what is on time does', async () => {
  const all = await desk(brief);
  const relay = await Relay.to(all.server.port);
  const cwd = scheduled(all, dueNow());
  const env = { ...all.keys, DESK_DATABASE: all.server.url({ port: relay.port }) };
  relay.cut();
  const serving = serve(cwd, env);
  await serving.until(/watching/);
  while (!relay.hasSwallowed) await systemClock.sleep(5);
  await expectOrders(all, 0);
  relay.renew();
  await serving.until(/done/);
  await relay.close();
  await expectOrders(all, 3);
});
