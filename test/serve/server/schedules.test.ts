/** Schedules over the API: what happened to them, what needs a person, pause and resume. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hour, standingClock, type Millis } from '../../../src/base/clock.ts';
import { keepDrifts } from '../../../src/engine/plan/drift-record.ts';
import { pause, resume } from '../../../src/app/schedule/pause.ts';
import { localPlace } from '../../../src/app/schedule/place.ts';
import type { ScheduleEvent } from '../../../src/app/schedule/decisions.ts';
import type { Schedule } from '../../../src/app/schedule/schedule.ts';
import { storeIn } from '../../../src/app/schedule/stored.ts';
import type { AnswerOf, Routes } from '../../../src/serve/server/routes/index.ts';
import type { DeskServices } from '../../../src/serve/server/services.ts';
import { startOfRuns } from '../../support/tape.ts';
import { scheduleFor } from '../../app/schedule/world.ts';
import { served, type Served } from './desk.ts';

type View = AnswerOf<Routes['GET /schedules']>;
type Home = AnswerOf<Routes['GET /home']>;

const nightly = scheduleFor({ id: 's-1', playbook: 'nightly', writes: true });
const last = startOfRuns - (startOfRuns % hour); // its last occurrence

async function desk(schedules: readonly Schedule[] = [nightly], isReadOnly = false) {
  const stateDir = mkdtempSync(join(tmpdir(), 'schedules-'));
  const clock = standingClock(startOfRuns);
  const place = localPlace(stateDir);
  const services: DeskServices = {
    schedules: {
      isKept: true,
      find: async () => ({ schedules, left: [{ file: 'x.yaml', because: '1:1 not valid' }] }),
      place: async () => place,
      pause: (asked) => pause(asked, place, clock),
      resume: (asked) => resume(asked, place, clock),
    },
    findings: async () => [],
    sandbox: {
      exists: () => false,
      words: async () => 'the sandbox of this folder',
      control: async () => null,
      reset: async () => undefined,
    },
  };
  const server = await served({ stateDir, isReadOnly, services });
  return {
    ...server,
    record: (event: ScheduleEvent, of = nightly) => storeIn(place, clock).record(event, of),
  };
}

async function answer<A>({ get }: Pick<Served, 'get'>, path: string): Promise<A> {
  return (await (await get(path)).json()) as A;
}

async function failureIn(response: Response): Promise<{ code: string; message: string }> {
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return error;
}

const ended = (occurrence: Millis, more: object): ScheduleEvent =>
  ({ kind: 'ended', occurrence, status: 'done', exit: 0, ...more }) as ScheduleEvent;

test('a schedule shows its last and next occurrences in the window', async () => {
  const server = await desk();
  await server.record({
    kind: 'left',
    why: 'missed',
    from: last - 3 * hour,
    to: last - 2 * hour,
    count: 2,
  });
  await server.record({ kind: 'taken', occurrence: last - hour });
  await server.record(ended(last - hour, { run: 'r-1' }));
  await server.record({ kind: 'taken', occurrence: last });
  const { schedules, left, isKept } = await answer<View>(server, '/schedules');
  expect(schedules[0]?.past).toEqual([
    { kind: 'running', from: last, to: last, text: 'started; no end is recorded' },
    { kind: 'done', from: last - hour, to: last - hour, text: 'done', run: 'r-1' },
    {
      kind: 'missed',
      from: last - 3 * hour,
      to: last - 2 * hour,
      text: '2 times missed and not run',
    },
  ]);
  expect(schedules[0]?.next.slice(0, 2)).toEqual([last + hour, last + 2 * hour]);
  expect(schedules[0]?.next).toHaveLength(24);
  expect([left.length, isKept]).toEqual([1, true]);
  const week = await answer<View>(server, '/schedules?days=7');
  expect(week.schedules[0]?.next).toHaveLength(100);
});

describe('a person', () => {
  test('pauses a schedule with a name and a reason, and resumes it', async () => {
    const server = await desk();
    const paused = await server.post('/schedules/pause', { name: 'nightly', reason: 'closed' });
    expect(await paused.json()).toMatchObject({ name: 'nightly', who: 'ann', why: 'closed' });
    const view = await answer<View>(server, '/schedules');
    expect(view.schedules[0]?.paused).toMatchObject({ who: 'ann', why: 'closed' });
    expect((await answer<Home>(server, '/home')).next).toMatchObject([{ isPaused: true }]);
    const again = await server.post('/schedules/pause', { name: 'nightly', reason: 'closed' });
    expect([again.status, (await failureIn(again)).message]).toEqual([
      400,
      expect.stringContaining('nightly is paused already, by ann'),
    ]);
    expect((await server.post('/schedules/resume', { name: 'nightly' })).status).toBe(200);
    expect((await answer<View>(server, '/schedules')).schedules[0]?.paused).toBeUndefined();
  });

  test('gives a reason, and cannot pause on a server that is read-only', async () => {
    const { post } = await desk();
    expect((await post('/schedules/pause', { name: 'nightly', reason: '' })).status).toBe(400);
    const readOnly = await desk([nightly], true);
    for (const path of ['/schedules/pause', '/schedules/resume', '/schedules/s-1/run']) {
      expect((await readOnly.post(path, { name: 'nightly', reason: 'x' })).status).toBe(404);
    }
  });
});

describe('home shows as a need', () => {
  const needs = async (server: Served) =>
    (await answer<Home>(server, '/home')).needs.map(({ kind, text, command }) => [
      kind,
      text,
      command,
    ]);

  test('missed occurrences of a playbook that writes, until a newer one has run', async () => {
    const server = await desk();
    await server.record({ kind: 'left', why: 'missed', from: last, to: last, count: 1 });
    const at = new Date(last).toISOString().slice(0, 16);
    expect(await needs(server)).toEqual([
      [
        'missed',
        `1 time missed and not run: ${at}Z`,
        `deskhand run s-1.yaml --scheduled-for ${at}Z`,
      ],
    ]);
    await server.record(ended(last + hour, { run: 'r-2' }));
    server.desk.board?.forget();
    expect(await needs(server)).toEqual([]);
  });

  test('a plan that waits for its approval, with the command that runs it', async () => {
    const server = await desk();
    const hint = 'review it, then `deskhand run s-1.yaml --approve p-1`';
    await server.record(
      ended(last, { status: 'not-begun', exit: 5, message: 'live', hint, awaits: 'approval' }),
    );
    expect(await needs(server)).toMatchObject([
      [
        'approval',
        expect.stringMatching(/could not start: live/),
        'deskhand run s-1.yaml --approve p-1',
      ],
    ]);
  });

  test('a playbook whose last drift found differences', async () => {
    const server = await desk();
    const drift = {
      playbook: 'ladder',
      file: 'ladder.yaml',
      profile: 'main',
      at: startOfRuns,
      compared: 5,
    };
    await keepDrifts(server.stateDir, [{ ...drift, differences: 2 }]);
    expect(await needs(server)).toEqual([
      ['drift', '2 differences between the ledger and main', 'deskhand drift ladder.yaml'],
    ]);
    await keepDrifts(server.stateDir, [{ ...drift, differences: 0 }]);
    expect(await needs(server)).toEqual([]);
  });

  test('a record of pauses that cannot be read', async () => {
    const server = await desk();
    mkdirSync(join(server.stateDir, 'schedule'));
    writeFileSync(join(server.stateDir, 'schedule', 'paused.json'), '{');
    expect(await needs(server)).toMatchObject([
      ['damaged', expect.stringContaining('paused.json is damaged'), 'deskhand schedule log'],
    ]);
  });
});

test('a server of several repositories says how schedules are shown, and pauses none', async () => {
  const server = await served();
  expect(await answer<View>(server, '/schedules')).toMatchObject({
    schedules: [],
    without: ['desk'],
  });
  const refused = await server.post('/schedules/pause', { name: 'nightly', reason: 'x' });
  expect([refused.status, (await failureIn(refused)).code]).toEqual([409, 'several-desks']);
});
