/** The verbs of schedules, in this process and with a fixed clock. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run as runDue } from '../../src/cli/commands/schedule-run-due.ts';
import { run as exportAll } from '../../src/cli/commands/schedule-export.ts';
import { run as list } from '../../src/cli/commands/schedule-list.ts';
import { run as log } from '../../src/cli/commands/schedule-log.ts';
import { run as serve } from '../../src/cli/commands/schedule-serve.ts';
import { run as next } from '../../src/cli/commands/schedule-next.ts';
import { run as runPlaybook } from '../../src/cli/commands/run.ts';
import { keepingScreen, scheduleScreen } from '../../src/cli/schedule/screen.ts';
import { keepSchedules } from '../../src/app/schedule/keeping.ts';
import { openScheduler } from '../../src/app/schedule/open-scheduler.ts';
import { configOf } from '../../src/app/config/opened.ts';
import { stoppable } from '../../src/app/machine/interrupt.ts';
import { schedulesIn } from '../../src/app/schedule/found.ts';
import type { ScheduleLogOutput } from '../../src/app/documents/schedule-documents.ts';
import { at, contextAt, givenOf, type Where, type Words } from './at.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { limitOrder } from '../support/order.ts';
import { startSandbox } from './sandbox.ts';

const reading = `playbook: 1
name: nightly
schedule:
  - { cron: "15 2 * * *", timezone: "+08:00", only: [spot] }
steps:
  - { id: spot, uses: market/list-tickers, with: { category: SPOT } }
  - { id: more, uses: market/list-tickers, with: { category: USDT-FUTURES } }
`;
const writing = `playbook: 1
name: growth
account: main
schedule: [{ cron: "0 9 * * *", timezone: Europe/Berlin }]
steps:
  - { id: sub, uses: account/create-sub, with: { username: alpha, note: "{{ date run.scheduled-for 'yyyy-MM-dd' }}" } }
`;

describe('a schedule that reads', () => {
  function nightly(): Where & Words {
    const folder = folderWith({ 'nightly.yaml': reading });
    return { folder, words: [join(folder, 'nightly.yaml')] };
  }

  test('runs once at its time', async () => {
    const it = nightly();
    const early = await at('2026-11-20T18:14:00Z', it, runDue, it);
    expect([early.code, early.err]).toEqual([0, 'nothing is due\n']);
    const first = await at('2026-11-20T18:15:02Z', it, runDue, it);
    expect(first.code).toBe(0);
    expect(first.err).toMatch(
      /nightly {2}→ 2026-11-20T18:15Z begins\n.* ✔ done 2026-11-20T18:15Z as r-/,
    );
    const second = await at('2026-11-20T18:16:00Z', it, runDue, it);
    expect(second.err).toBe('nothing is due\n');
    const listed = await at('2026-11-20T18:20:00Z', it, log, { words: ['nightly'] });
    expect(listed.out.split('\n').map((line) => line.slice(21, 49).trim())).toEqual([
      'nightly  → 2026-11-20T18:15Z',
      'nightly  ✔ done 2026-11-20T1',
      '',
    ]);
  });

  test('is logged from the time that --since names', async () => {
    const it = nightly();
    const days = ['2026-11-20T18:15:02Z', '2026-11-21T18:15:02Z'];
    for (const day of days) await at(day, it, runDue, it);
    const logged = async (since: string): Promise<readonly string[]> => {
      const words = { words: [], flags: { since }, output: 'json' };
      const { out } = await at('2026-11-21T20:15:02Z', it, log, words);
      const { records }: ScheduleLogOutput = JSON.parse(out);
      return [...new Set(records.map((record) => new Date(record.at).toISOString().slice(0, 10)))];
    };
    expect(await logged('1h')).toEqual([]);
    expect(await logged('2h')).toEqual(['2026-11-21']);
    expect(await logged('2d')).toEqual(['2026-11-20', '2026-11-21']);
    await expect(logged('monday')).rejects.toThrow('--since is a duration such as 2h or 7d');
  });

  test('runs only its own steps, for its occurrence', async () => {
    const it = nightly();
    await at('2026-11-20T18:14:00Z', it, runDue, it);
    const { out } = await at('2026-11-20T18:17:00Z', it, runDue, { ...it, output: 'json' });
    const { records } = JSON.parse(out);
    expect(records.map(({ kind }: { kind: string }) => kind)).toEqual(['taken', 'ended']);
    const again = at('2026-11-20T19:00:00Z', it, runPlaybook, {
      ...it,
      flags: { 'scheduled-for': '2026-11-21T02:15:00+08:00' },
    });
    await expect(again).rejects.toThrow(`2026-11-20T18:15Z already ran as ${records[1].run}`);
  });

  test('whose record is lost says how the run of its occurrence ended, and runs nothing again', async () => {
    const it = nightly();
    await at('2026-11-20T18:14:00Z', it, runDue, it);
    await at('2026-11-20T18:15:02Z', it, runDue, it);
    rmSync(join(it.folder, 'state', 'schedule'), { recursive: true });
    const { code, out } = await at('2026-11-20T18:15:09Z', it, runDue, { ...it, output: 'json' });
    const { records } = JSON.parse(out);
    expect(records[1]).toMatchObject({ status: 'done', run: expect.stringMatching(/^r-/) });
    expect(code).toBe(0);
  });

  test('runs once for all missed occurrences', async () => {
    const it = nightly();
    await at('2026-11-20T12:00:00Z', it, runDue, it);
    const { err } = await at('2026-11-24T12:00:00Z', it, runDue, it);
    expect(err).toContain(
      '3 times missed; one run for all of them: 2026-11-20T18:15Z to 2026-11-22T18:15Z',
    );
    expect(err).toContain('done 2026-11-23T18:15Z');
  });

  test('is claimed by one of two schedulers', async () => {
    const it = nightly();
    await at('2026-11-20T18:14:00Z', it, runDue, it);
    const both = await Promise.all(
      [1, 2].map(() => at('2026-11-20T18:15:00Z', it, runDue, { ...it, output: 'json' })),
    );
    const records = both.flatMap(({ out }) => JSON.parse(out).records);
    expect(records.filter(({ kind }) => kind === 'taken').length).toBe(1);
  });

  test('is listed with its next occurrence in its own time zone', async () => {
    const it = nightly();
    const { out } = await at('2026-11-20T18:15:00Z', it, list, it);
    expect(out).toContain('next   2026-11-22 02:15 +08:00 (2026-11-21T18:15Z)');
    const coming = await at('2026-11-20T18:15:00Z', it, next, { ...it, flags: { count: '2' } });
    expect(coming.out.split('\n').map((line) => line.slice(0, 17))).toEqual([
      '2026-11-21T18:15Z',
      '2026-11-22T18:15Z',
      '',
    ]);
  });
});

test('a schedule does not place its orders beside an occurrence that did not end', async () => {
  const text = `playbook: 1
name: daily
schedule: [{ cron: "0 9 * * *", timezone: UTC }]
steps:
  - id: first
    uses: futures/place-order
    with:${limitOrder({ price: '40000' })}
  - id: refused
    uses: futures/place-order
    with:${limitOrder({ price: '90000', size: '500' }).replace('side: buy', 'side: sell').replace('tradeSide: open', 'tradeSide: close')}
`;
  const folder = folderWith({ 'daily.yaml': text });
  const it = { folder, words: [join(folder, 'daily.yaml')] };
  await at('2026-11-20T08:59:00Z', it, runDue, it);
  const due = async (day: string): Promise<ScheduleLogOutput['records']> =>
    JSON.parse((await at(`${day}T09:00:01Z`, it, runDue, { ...it, output: 'json' })).out).records;
  const [, first] = await due('2026-11-20');
  expect(first).toMatchObject({ kind: 'ended', status: 'stopped' });
  const [, second] = await due('2026-11-21');
  expect(second).toMatchObject({
    status: 'not-begun',
    exit: 5,
    message: expect.stringMatching(/blocked: run r-\w+ .* did not end: 1 write sent/),
    hint: expect.stringContaining('runs set-aside'),
  });
});

describe('a schedule that writes to a live account', () => {
  async function growth(): Promise<Where & Words> {
    const sandbox = await startSandbox();
    const { DESKHAND_BASE_URL: _url, ...env } = sandbox.env('hedge');
    const config = `profiles: { main: { target: live, base-url: "${sandbox.baseUrl}", notify: OPS } }\n`;
    const folder = folderWith({ 'growth.yaml': writing, 'deskhand.yaml': config });
    return {
      folder,
      config: join(folder, 'deskhand.yaml'),
      env: { ...env, DESKHAND_SECRET_OPS: 'https://example.com/hook' },
      words: [join(folder, 'growth.yaml')],
    };
  }

  test('waits for a person, logs it and notifies', async () => {
    const it = await growth();
    const { context, err } = contextAt('2026-11-20T08:00:10Z', it);
    const config = await configOf(context);
    const { schedules } = await schedulesIn(it.words, config, context);
    const posted: object[] = [];
    const never = new AbortController().signal;
    const scheduler = await openScheduler(
      {
        config,
        interruption: {
          drain: never,
          halt: never,
          exit: () => undefined,
          close: () => undefined,
          leaves: () => undefined,
        },
        onRecord: () => undefined,
        runs: { kind: 'here', screen: scheduleScreen(context) },
        send: async (notice, { url }) => {
          posted.push([url.reveal(), notice]);
        },
      },
      context,
    );
    const ends = (await Promise.all(await scheduler.look(schedules))).flat();
    expect(ends).toMatchObject([
      {
        status: 'not-begun',
        exit: 5,
        message: expect.stringMatching(
          /^plan p-[0-9a-f]{8} would send to the live account main; nothing was sent$/,
        ),
        hint: expect.stringMatching(
          /^review it, then `deskhand run .*growth\.yaml --approve p-[0-9a-f]{8}`$/,
        ),
      },
    ]);
    expect(posted).toMatchObject([
      [
        'https://example.com/hook',
        {
          event: 'approval-wanted',
          sentence: expect.stringMatching(/^growth could not start for 2026-11-20T08:00Z: plan p-/),
          target: 'live',
        },
      ],
    ]);
    expect(err()).toBe('');
  });

  test('does not run missed occurrences by default and reports them', async () => {
    const it = await growth();
    await at('2026-11-20T07:00:00Z', it, runDue, it);
    const { err, code } = await at('2026-11-22T12:00:00Z', it, runDue, it);
    expect(err).toContain('3 times missed and not run: 2026-11-20T08:00Z to 2026-11-22T08:00Z');
    expect(err).not.toContain('begins');
    expect(code).toBe(0);
  });
});

test('an invalid playbook is reported and does not block the others', async () => {
  const folder = folderWith({ 'a.yaml': reading, 'b.yaml': 'playbook: 1\nname: b\nstepps: []\n' });
  const words = [join(folder, 'a.yaml'), join(folder, 'b.yaml')];
  await at('2026-11-20T18:14:00Z', { folder }, runDue, { words });
  const { code, err } = await at('2026-11-20T18:15:00Z', { folder }, runDue, { words });
  expect(code).toBe(1);
  expect(err).toMatch(/b\.yaml is skipped: 3:1 .*stepps/);
  expect(err).toContain('done 2026-11-20T18:15Z');
});

test('if no playbook is valid, none is reported as having no schedule', async () => {
  const folder = folderWith({ 'b.yaml': 'playbook: 1\nname: b\nstepps: []\n' });
  for (const verb of [list, next]) {
    const words = [join(folder, 'b.yaml')];
    const { code, out, err } = await at('2026-11-20T18:14:00Z', { folder }, verb, { words });
    expect([code, out, err]).toEqual([3, '', expect.stringContaining('is skipped')]);
  }
});

test('two playbooks with one name are not run as one', async () => {
  const folder = folderWith({ 'a.yaml': reading, 'b.yaml': reading });
  const words = [join(folder, 'a.yaml'), join(folder, 'b.yaml')];
  const { code, err } = await at('2026-11-20T18:14:00Z', { folder }, list, { words });
  expect([code, err]).toEqual([
    3,
    expect.stringContaining('a.yaml has a playbook with the same name'),
  ]);
});

describe('exported', () => {
  const folder = (): Where & Words => {
    const made = folderWith({ 'nightly.yaml': reading, 'growth.yaml': writing });
    return { folder: made, words: [join(made, 'nightly.yaml')] };
  };
  const now = '2026-11-20T18:14:00Z';

  test('a crontab uses the clock of its machine', async () => {
    const it = folder();
    const lines = async (timezone: string): Promise<string[]> => {
      const { out } = await at(now, it, exportAll, { ...it, flags: { cron: true, timezone } });
      return out.split('\n').filter((line) => line.includes(' cd '));
    };
    expect((await lines('UTC'))[0]).toMatch(
      /^15 18 \* \* \* cd \S+ && \S+node\S* .*run-due \S+nightly\.yaml --schedule s-[0-9a-f]{8}$/,
    );
    expect((await lines('+08:00'))[0]).toMatch(/^15 2 \* \* \* cd /);
    // A machine with daylight saving time is woken every hour: its cron may skip one.
    expect((await lines('Europe/Berlin'))[0]).toMatch(/^15 \* \* \* \* cd /);
  });

  test('systemd timers use UTC through every clock change', async () => {
    const it = folder();
    const words = [join(it.folder, 'growth.yaml')];
    const { out } = await at(now, it, exportAll, { words, flags: { systemd: true } });
    expect(out).toContain('OnCalendar=*-*-* 7,8:0:00 UTC');
    expect(out).toContain('Persistent=true');
  });

  test('a GitHub workflow accepts only schedules that read', async () => {
    const it = folder();
    const written = (file: string) =>
      deskhand(['schedule', 'export', '--github', file], { cwd: it.folder });
    const { stdout } = await written('nightly.yaml');
    expect(stdout).toContain('    - cron: "15 18 * * *"');
    expect(stdout).toContain('run-due nightly.yaml');
    expect(stdout).toContain('--late 45m');
    const refused = await written('growth.yaml');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/growth\.yaml.* writes, but a GitHub runner does not record/);
    const elsewhere = at(now, it, exportAll, { ...it, flags: { github: true } });
    await expect(elsewhere).rejects.toThrow('is not in the repository');
  });
});

describe('a paused schedule', () => {
  const often = reading.replace('15 2 * * *', '* * * * *');

  test('is not run by a headless scheduler until it is resumed, and says who paused it and why', async () => {
    const cwd = folderWith({ 'nightly.yaml': often });
    const paused = await deskhand(['schedule', 'pause', 'nightly', '--reason', 'no key'], { cwd });
    expect(paused.stdout).toMatch(/^paused nightly \(1 schedule: s-\w{8}\); a run in progress/);
    const due = await deskhand(['schedule', 'run-due', '--late', '1h'], { cwd });
    expect([due.code, due.stderr]).toEqual([0, expect.stringMatching(/1 time .*not run/)]);
    const listed = await deskhand(['schedule', 'list'], { cwd });
    expect(listed.stdout).toMatch(/paused +since \S+ by \S+: no key \(deskhand schedule resume/);
    const resumed = await deskhand(['schedule', 'resume', 'nightly'], { cwd });
    expect(resumed.stdout).toBe('resumed nightly; occurrences of the pause are not run\n');
    const seen = await deskhand(['schedule', 'log', 'nightly'], { cwd });
    expect(seen.stdout).toMatch(/paused by \S+: no key\n(.*\n)*.*resumed by/);
    expect(seen.stdout).not.toContain('begins');
  });

  test('is named as it is listed, and not twice', async () => {
    const cwd = folderWith({ 'nightly.yaml': often });
    const pause = (name: string, ...more: string[]) =>
      deskhand(['schedule', 'pause', name, ...more], { cwd });
    const wrong = await pause('nightl', '--reason', 'x');
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('did you mean nightly?'),
    ]);
    expect((await pause('nightly')).stderr).toContain('a pause needs a reason');
    await pause('nightly', '--reason', 'x');
    expect((await pause('nightly', '--reason', 'y')).stderr).toContain('is paused already, by');
    const resume = await deskhand(['schedule', 'resume', 's-00000000'], { cwd });
    expect(resume.stderr).toMatch(/s-00000000 is not paused[^]*paused: nightly/);
  });
});

test('a scheduler without schedules says so, and what to do', async () => {
  const folder = folderWith({ 'plain.yaml': reading.replace(/^schedule:\n.*\n/m, '') });
  const file = join(folder, 'plain.yaml');
  const { context, err } = contextAt('2026-11-20T18:14:00Z', { folder });
  const stop = new AbortController();
  const { clock } = context;
  const sleep: typeof clock.sleep = async () => stop.abort();
  const own = { ...context, stop: stop.signal, clock: { ...clock, sleep } };
  expect(await serve(own, givenOf({ words: [file] }))).toBe(143);
  expect(err()).toBe(
    `no playbook among ${file} has a schedule, so nothing runs: add \`schedule:\` to one; it is read within a minute\n`,
  );
});

test('a server keeps schedules: what is due runs once, beside another scheduler', async () => {
  const folder = folderWith({ 'nightly.yaml': reading });
  const file = join(folder, 'nightly.yaml');
  const stopping = new AbortController();
  const records: string[] = [];
  const keep = async (): Promise<void> => {
    const { context } = contextAt('2026-11-20T18:00:00Z', { folder });
    const config = await configOf(context);
    await stoppable({ ...context, stop: stopping.signal }, async (interruption) => {
      await keepSchedules(
        {
          config,
          interruption,
          find: () => schedulesIn([file], config, context),
          runs: { kind: 'here', screen: scheduleScreen(context) },
          ...keepingScreen(context),
          onRecord: (record) => {
            records.push(record.kind);
            if (record.kind === 'ended') stopping.abort();
          },
        },
        context,
      );
      return 0;
    });
  };
  await Promise.all([keep(), keep()]);
  expect(records).toEqual(['taken', 'ended']);
});
