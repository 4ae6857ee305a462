/** Scheduled runs of `serve`: each is a separate process, which can be stopped, killed and left. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { locksIn } from '../../src/engine/journal/lock.ts';
import type { ScheduleRecord } from '../../src/app/schedule/decisions.ts';
import { webhook } from '../app/notification/recipients.ts';
import { served } from '../serve/server/desk.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { begin, deskhand, folderWith } from './deskhand.ts';

// Due at the first check, whenever the test runs, and then not before the next day.
const waiting = `playbook: 1
name: waiting
schedule: [{ cron: "0 0 * * *", timezone: UTC, late: 1d }]
steps:
  - { id: pause, uses: wait, with: { until: "{{ addTime run.time '1h' }}" } }
`;

const started: number[] = [];
afterEachTest(async () => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(pid, 'SIGKILL'); // a failed test left it
    } catch {
      // it has ended
    }
  }
});

const config = 'profiles: { sandbox: { notify: { webhook: { url: { env: HOOK } } } } }\n';

/** A scheduler, and the process of the run that it started. */
async function scheduling(words: readonly string[]) {
  const cwd = folderWith({ 'waiting.yaml': waiting, 'deskhand.yaml': config });
  const stateDir = join(cwd, '.deskhand');
  const hook = await webhook();
  onTestFinished(hook.close);
  const server = begin(words, { cwd, env: { HOOK: `http://127.0.0.1:${hook.port}/` } });
  let shown = '';
  server.stdout.resume();
  server.stderr.on('data', (chunk: Buffer) => (shown += String(chunk)));
  const exit = once(server, 'exit');
  const holder = async () =>
    (await locksIn(stateDir)).find(
      ({ name, life }) => name.startsWith('run-') && life.state === 'alive',
    );
  await expect.poll(holder).toBeDefined();
  const { pid = 0, holder: run = '' } = (await holder())?.record ?? {};
  started.push(pid);
  await expect.poll(() => journalOf(stateDir, run)).toContain('"started"');
  const notices = () => hook.posted.map(({ body }) => JSON.parse(body));
  return { cwd, stateDir, server, exit, pid, run, notices, shown: () => shown };
}

const serving = () => scheduling(['serve', '--port', '0']);

async function stop({ cwd, run }: { readonly cwd: string; readonly run: string }) {
  const page = await served({ folder: cwd });
  await page.poll();
  return page.post(`/runs/${run}/stop`, { press: 'press-0000000000000000' });
}

function journalOf(stateDir: string, run: string): string {
  const path = join(stateDir, 'runs', run, 'journal.ndjson');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

const records = (stateDir: string): readonly ScheduleRecord[] =>
  readFileSync(join(stateDir, 'schedule', 'record.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

async function recorded(stateDir: string): Promise<ScheduleRecord | undefined> {
  await expect.poll(() => records(stateDir).at(-1)?.kind).toBe('ended');
  return records(stateDir).at(-1);
}

test('a scheduled run has a separate process, and Stop reaches it', async () => {
  const { cwd, stateDir, server, pid, run, notices, shown } = await serving();
  expect(pid).not.toBe(server.pid);
  expect(shown()).toContain(`waiting: process ${pid} runs what is due`);
  const stopped = await stop({ cwd, run });
  expect([stopped.status, await stopped.json()]).toEqual([200, { isStopping: true, lines: [] }]);
  expect(await recorded(stateDir)).toMatchObject({ status: 'interrupted', exit: 130, run });
  expect(records(stateDir).map(({ kind }) => kind)).toEqual(['taken', 'ended']);
  await expect.poll(shown).toMatch(/interrupted/);
  expect([server.exitCode, notices()]).toEqual([null, []]); // a person stopped it
});

test('a scheduled run whose process is killed ends no server, and is recorded and notified of with what continues it', async () => {
  const { cwd, stateDir, server, pid, run, notices, shown } = await serving();
  process.kill(pid, 'SIGKILL');
  expect(await recorded(stateDir)).toMatchObject({
    status: 'interrupted',
    run,
    message: 'its process ended with SIGKILL',
    hint: `deskhand resume ${run}`,
    cause: 'crash',
  });
  await expect.poll(notices).toMatchObject([
    {
      event: 'stopped',
      run,
      schedule: expect.stringMatching(/./),
      text: expect.stringMatching(/^waiting on sandbox not finished/),
      command: `deskhand resume ${run}`,
    },
  ]);
  expect(notices()[0].facts[0]).toEqual({ name: 'why', value: 'its process ended with SIGKILL' });
  await expect.poll(shown).toContain(`deskhand resume ${run}`);
  expect(server.exitCode).toBeNull();
  const log = await deskhand(['schedule', 'log'], { cwd });
  expect(log.stdout).toContain('its process ended with SIGKILL');
});

test('a server that is ended leaves its scheduled run, which records its end', async () => {
  const { stateDir, server, exit, pid, run, shown } = await serving();
  server.kill('SIGTERM');
  expect(await exit).toEqual([143, null]);
  expect(shown()).toContain(`waiting: process ${pid} continues`);
  expect(records(stateDir).map(({ kind }) => kind)).toEqual(['taken']);
  process.kill(pid, 'SIGINT');
  expect(await recorded(stateDir)).toMatchObject({ status: 'interrupted', run });
  expect(journalOf(stateDir, run)).toContain('"finished"');
});

test('a scheduler that executes its runs itself is not stopped with one of them', async () => {
  const scheduler = await scheduling(['schedule', 'serve']);
  expect(scheduler.pid).toBe(scheduler.server.pid);
  const refused = await stop(scheduler);
  const { error } = (await refused.json()) as { error: { code: string; message: string } };
  expect([refused.status, error.code]).toEqual([409, 'shared-process']);
  expect(error.message).toContain('other work of its program');
  expect(scheduler.server.exitCode).toBeNull();
});
