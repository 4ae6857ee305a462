/** Schedulers as processes on machines that share a store of any kind, and how one that was stopped in its run tells its end. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { minute, systemClock, type Millis } from '../../src/base/clock.ts';
import { begin, deskhand, type Ended } from './deskhand.ts';
import { files, ownOrders } from './ladder.ts';
import type { Started } from './sandbox.ts';
import { hurried, isLost, loseSecondAnswer } from './under-way.ts';

export interface Site {
  readonly exchange: Started;
  readonly keys: Readonly<Record<string, string>>;
  /** The checkout of one more machine. */
  readonly folder: () => string;
  /** Whether machines share the records of their schedules. */
  readonly isLogShared: boolean;
  /**
   * Ends leases that are too long to wait for; for processes that were killed, as the sandbox accepts
   * what a suspended one signs by its machine's clock.
   */
  readonly endLeases?: () => Promise<void>;
}

/** A machine whose only schedule was due a minute ago. */
export function scheduled({ folder }: Pick<Site, 'folder'>, due: Millis): string {
  const cwd = folder();
  const at = new Date(due);
  const cron = `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`;
  const schedule = `schedule:\n  - { cron: "${cron}", timezone: UTC, late: 20m }\nsteps:`;
  writeFileSync(join(cwd, 'ladder.yaml'), files['ladder.yaml'].replace('steps:', schedule));
  return cwd;
}

export const dueNow = (): Millis => Math.floor(systemClock.now() / minute - 1) * minute;

interface Serving {
  readonly child: ReturnType<typeof begin>;
  /** Waits until it has printed that. */
  until(text: RegExp): Promise<string>;
}

export function serve(cwd: string, env: Readonly<Record<string, string>>): Serving {
  const child = begin(['schedule', 'serve', 'ladder.yaml'], { cwd, env });
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

export async function logOn({ keys }: Site, cwd: string): Promise<readonly Logged[]> {
  const { stdout } = await deskhand(['schedule', 'log', '-o', 'json'], { cwd, env: keys });
  return JSON.parse(stdout).records;
}

/** A scheduler whose second order got no answer, and the machine of another. */
async function stoppedInItsRun(
  site: Site,
  signal: 'SIGKILL' | 'SIGSTOP',
): Promise<{ readonly first: Serving; readonly one: string; readonly two: string }> {
  const due = dueNow();
  const [one, two] = [scheduled(site, due), scheduled(site, due)];
  await loseSecondAnswer(site.exchange);
  const first = serve(one, site.keys);
  while (!(await isLost(site.exchange))) expect(first.child.exitCode).toBe(null);
  first.child.kill(signal);
  return { first, one, two };
}

/** Resumes the only run of a machine as soon as nobody else has it. */
async function resumedOn(two: string, { keys, exchange }: Site): Promise<string> {
  const runs = await deskhand(['runs', 'list', '-o', 'json'], { cwd: two, env: keys });
  const [run = ''] = /r-[0-9a-z]+/.exec(runs.stdout) ?? [];
  const env = { ...keys, ...hurried(exchange) };
  for (;;) {
    const resumed = await deskhand(['resume', run], { cwd: two, env });
    if (resumed.code === 5 && resumed.stderr.includes('has a claim on')) continue;
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
    return run;
  }
}

async function expectLadder({ keys }: Site, cwd: string): Promise<void> {
  const names = await ownOrders(cwd, keys);
  expect([names.length, new Set(names).size]).toEqual([3, 3]);
}

/** Asks for what is due until that is said: locks of a killed process are leased for a while. */
async function dueUntil(text: RegExp, cwd: string, { keys }: Site): Promise<Ended> {
  for (;;) {
    const words = ['schedule', 'run-due', 'ladder.yaml'];
    const asked = await deskhand(words, { cwd, env: keys });
    if (text.test(asked.stderr)) return asked;
    expect(asked.stderr).toMatch(/nothing is due|it is in progress on/);
  }
}

/** The run of a scheduler that was killed is not started again; any machine resumes it. */
export async function killedInItsRun(site: Site): Promise<void> {
  const { one, two } = await stoppedInItsRun(site, 'SIGKILL');
  const next = site.isLogShared ? two : one;
  // Whoever asks for what is due brings the record of the occurrence up to date.
  const asked = await dueUntil(/in doubt .* as r-/, next, site);
  expect(asked.code).toBe(0);
  const doubt = { kind: 'ended', status: 'doubt', run: expect.any(String) };
  expect((await logOn(site, next)).at(-1)).toMatchObject(doubt);
  await site.endLeases?.();
  const run = await resumedOn(two, site);
  await expectLadder(site, two);
  await dueUntil(new RegExp(`✔ done .* as ${run}`), next, site);
  await expectLogged(site, [one, two], run);
}

/** A scheduler that was suspended in its run says how the run ended on another machine. */
export async function suspendedInItsRun(site: Site): Promise<void> {
  const { first, one, two } = await stoppedInItsRun(site, 'SIGSTOP');
  const run = await resumedOn(two, site);
  first.child.kill('SIGCONT');
  const said = await first.until(/(?:done|could not start) .* as r-|could not start/);
  expect(said).not.toMatch(/could not start|already ran/);
  await expectLogged(site, [one, two], run);
  await expectLadder(site, two);
}

/** The first record and the last; those between say how the run stood. */
async function expectLogged(
  site: Site,
  [one, two]: readonly [string, string],
  run: string,
): Promise<void> {
  for (const cwd of site.isLogShared ? [one, two] : [one]) {
    const records = await logOn(site, cwd);
    expect([records[0], records.at(-1)]).toMatchObject([
      { kind: 'taken' },
      { kind: 'ended', status: 'done', run },
    ]);
  }
}
