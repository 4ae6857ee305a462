import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../src/base/json.ts';
import {
  plan,
  resume,
  run,
  validate,
  type RunEvent,
  type RunInProgress,
  type RunOutcome,
} from '../../../src/index.ts';
import { deskhand } from '../../cli/deskhand.ts';
import { resting } from '../../cli/ladder.ts';
import { folder, waiting, type Where } from './options.ts';

/** Reads events until the run pauses after its orders. */
async function untilPaused(going: RunInProgress): Promise<void> {
  const events = going[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) throw new Error(`it ended: ${JSON.stringify(await going.result)}`);
    if (value.kind === 'opened' && value.step === 'pause') return;
  }
}

async function afterAnHour({ cwd }: Where): Promise<void> {
  expect((await deskhand(['sandbox', 'advance', '2h'], { cwd })).code).toBe(0);
}

function runIn(outcome: RunOutcome): string {
  if (outcome.status === 'done') return outcome.report.run;
  if (outcome.status === 'refused' || outcome.run === undefined) {
    throw new Error(`it did not start: ${JSON.stringify(outcome)}`);
  }
  return outcome.run;
}

/** The run continues, and places no order again. */
async function expectResumed(run: string, where: Where): Promise<void> {
  await afterAnHour(where);
  expect(await resume({ run, ...where }).result).toMatchObject({ status: 'done', exit: 0 });
  expect(await resting(where.cwd)).toBe(3);
}

describe('a plan', () => {
  test('is JSON, is run as it was reviewed, and only once', async () => {
    const where = folder();
    const made = await plan({ playbook: 'ladder.yaml', inputs: { rungs: 2 }, ...where });
    const reviewed = JSON.parse(JSON.stringify(made));
    const going = run({ plan: reviewed, ...where });
    const ended = await going.result;
    expect(ended).toMatchObject({
      status: 'done',
      exit: 0,
      report: { plan: made.id, run: made.run },
    });
    expect(await resting(where.cwd)).toBe(2);
    expect(await run({ plan: made.id, ...where }).result).toMatchObject({
      status: 'refused',
      exit: 5,
      error: { code: 'stale-plan' },
    });
  });

  test('that was changed is refused', async () => {
    const where = folder();
    const made = await plan({ playbook: 'ladder.yaml', ...where });
    const changed = { ...made, inputs: { rungs: 9 } };
    expect(await run({ plan: changed, ...where }).result).toMatchObject({
      status: 'refused',
      exit: 5,
      error: { code: 'stale-plan' },
    });
    expect(await resting(where.cwd)).toBe(0);
  });

  test('is what the command line runs, and the other way around', async () => {
    const where = folder();
    const { id } = await plan({ playbook: 'ladder.yaml', ...where });
    expect((await deskhand(['run', id], where)).code).toBe(0);
    const other = folder();
    await deskhand(['plan', 'ladder.yaml', '--out', 'plan.json'], other);
    expect(await run({ plan: 'plan.json', ...other }).result).toMatchObject({ status: 'done' });
  });

  test('is run from the text that a program saved, and from a formatted copy of a file', async () => {
    const where = folder();
    const made = await plan({ playbook: 'ladder.yaml', ...where });
    writeFileSync(join(where.cwd, 'stored.json'), JSON.stringify(made));
    expect((await deskhand(['run', 'stored.json'], where)).code).toBe(0);
    const other = folder();
    await deskhand(['plan', 'ladder.yaml', '--out', 'plan.json'], other);
    const saved: unknown = JSON.parse(readFileSync(join(other.cwd, 'plan.json'), 'utf8'));
    writeFileSync(join(other.cwd, 'plan.json'), canonicalJson(saved)); // as jq -cS writes it
    expect(await run({ plan: 'plan.json', ...other }).result).toMatchObject({ status: 'done' });
  });

  test('that was changed is refused by the name of the changed part', async () => {
    const where = folder();
    const made = await plan({ playbook: 'ladder.yaml', ...where });
    const changed = { ...made, destination: { ...made.destination, profile: 'other' } };
    expect(await run({ plan: changed, ...where }).result).toMatchObject({
      error: { message: expect.stringContaining(': destination was changed; nothing was sent') },
    });
  });
});

describe('a run that is refused', () => {
  test('has the code, the hint and the places that the command line prints', async () => {
    const bad = 'playbook: 1\nname: bad\nsteps:\n  - id: it\n    uses: futures/place-oder\n';
    const where = folder({ 'bad.yaml': bad });
    const ended = await run({ playbook: 'bad.yaml', ...where }).result;
    const { stdout } = await deskhand(['run', 'bad.yaml', '-o', 'json'], where);
    const { exit, error } = JSON.parse(stdout);
    expect(ended).toMatchObject({ status: 'refused', exit, error });
    const place = { level: 'error', file: 'bad.yaml', line: 5, column: 11 };
    expect(ended).toMatchObject({
      error: {
        reasons: [{ code: 'PB201', ...place }],
      },
    });
    expect(await validate({ playbooks: 'bad.yaml', ...where })).toMatchObject({
      isValid: false,
      files: [{ file: 'bad.yaml', problems: [{ code: 'PB201', line: 5 }] }],
    });
  });

  test.each([
    [{ playbook: 'none.yaml' }, 2, 'usage'],
    [{ playbook: 'ladder.yaml', inputs: { rungs: 'many' } }, 3, 'invalid'],
    [{ playbook: 'ladder.yaml', inputs: { rungs: 11 } }, 5, 'guard'],
    [{ playbook: 'ladder.yaml', inputs: { rungs: () => 3 } }, 2, 'usage'],
    [{ playbook: 'ladder.yaml', profile: 'other' }, 3, 'config'],
    [{ plan: 'p-00000000' }, 5, 'approval'],
  ] as const)('%o: exit code %i, %s', async (options, exit, code) => {
    const ended = await run({ ...options, ...folder() }).result;
    expect(ended).toMatchObject({ status: 'refused', exit, error: { code } });
  });

  test('because another run of this process has the account', async () => {
    const where = folder();
    const first = run({ playbook: 'waiting.yaml', ...where });
    await untilPaused(first);
    const second = await run({ playbook: 'ladder.yaml', ...where }).result;
    expect(second).toMatchObject({ status: 'refused', exit: 5, error: { code: 'locked' } });
    const third = await resume({
      run: runIn(await first.stop()),
      ...where,
      signal: AbortSignal.abort(),
    }).result;
    expect(third).toMatchObject({ status: 'interrupted', exit: 130 });
    expect(await resting(where.cwd)).toBe(3);
  });
});

describe('two runs in one process', () => {
  test('on different exchanges do not affect each other', async () => {
    const [one, other] = [folder(), folder()];
    const ended = await Promise.all(
      [one, other].map((where) => run({ playbook: 'ladder.yaml', ...where }).result),
    );
    expect(ended.map(({ status }) => status)).toEqual(['done', 'done']);
    expect([await resting(one.cwd), await resting(other.cwd)]).toEqual([3, 3]);
  });

  test('of which both start at the same time: one runs, the other is refused', async () => {
    const where = folder();
    const ended = await Promise.all([
      run({ playbook: 'ladder.yaml', ...where }).result,
      run({ playbook: 'ladder.yaml', ...where }).result,
    ]);
    const statuses = ended.map(({ status }) => status).sort();
    expect(statuses[0]).toBe('done');
    expect(['done', 'refused']).toContain(statuses[1]);
    expect(await resting(where.cwd)).toBe(3);
  });
});

describe('a run is stopped in order, and can be resumed,', () => {
  test('by its signal', async () => {
    const where = folder();
    const stopping = new AbortController();
    const going = run({ playbook: 'waiting.yaml', ...where, signal: stopping.signal });
    await untilPaused(going);
    stopping.abort();
    const ended = await going.result;
    expect(ended).toMatchObject({
      status: 'interrupted',
      exit: 130,
      report: { status: 'interrupted' },
    });
    await expectResumed(runIn(ended), where);
  });

  test('by a break out of its events, which waits for its end', async () => {
    const where = folder();
    const going = run({ playbook: 'waiting.yaml', ...where });
    let ended: RunOutcome | undefined;
    void going.result.then((outcome) => (ended = outcome));
    for await (const event of going) if (event.kind === 'opened' && event.step === 'pause') break;
    expect(ended).toMatchObject({ status: 'interrupted' });
    await expectResumed(runIn(await going.result), where);
  });

  test('by an error in the loop over its events, which is thrown after its end', async () => {
    const where = folder();
    const going = run({ playbook: 'waiting.yaml', ...where });
    let ended: RunOutcome | undefined;
    void going.result.then((outcome) => (ended = outcome));
    const follow = async (): Promise<void> => {
      for await (const event of going) {
        if (event.kind === 'opened' && event.step === 'pause') throw new Error('of the consumer');
      }
    };
    await expect(follow()).rejects.toThrow('of the consumer');
    expect(ended).toMatchObject({ status: 'interrupted' });
    await expectResumed(runIn(await going.result), where);
  });

  test('by the return of an iterator that waits for an event', async () => {
    const where = folder();
    const going = run({ playbook: 'waiting.yaml', ...where });
    await untilPaused(going);
    const events = going[Symbol.asyncIterator]();
    for (let isWaiting = false; !isWaiting;) {
      const { value } = await events.next();
      isWaiting = value?.kind === 'clock' && value.address === 'pause'; // the last one before the pause
    }
    const pending = events.next();
    await events.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
    await expectResumed(runIn(await going.result), where);
  });

  test('before it started, with nothing sent', async () => {
    const where = folder();
    const ended = await run({ playbook: 'ladder.yaml', ...where, signal: AbortSignal.abort() })
      .result;
    expect(ended).toEqual({ status: 'interrupted', exit: 130, notices: expect.any(Array) });
    expect(await resting(where.cwd)).toBe(0);
  });
});

describe('the events of a run', () => {
  test('are its journal, also for a reader that begins when it has ended', async () => {
    const where = folder();
    const going = run({ playbook: 'ladder.yaml', ...where });
    const id = runIn(await going.result);
    const events: RunEvent[] = [];
    for await (const event of going) events.push(event);
    const entries = events.filter(({ kind }) => kind !== 'notice');
    const { stdout } = await deskhand(['runs', 'show', id, '-o', 'ndjson'], where);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.map((entry) => ({ version: 1, ...entry }))).toEqual(lines);
  });

  test('are copies: a reader that changes them changes nothing', async () => {
    const where = folder();
    const going = run({ playbook: 'ladder.yaml', ...where });
    for await (const event of going) Object.assign(event, { kind: 'settled', outcome: undefined });
    expect(await going.result).toMatchObject({ status: 'done', report: { tally: { done: 4 } } });
  });

  test('a reader that never continues delays nothing', async () => {
    const where = folder();
    const going = run({ playbook: 'ladder.yaml', ...where });
    await going[Symbol.asyncIterator]().next();
    expect(await going.result).toMatchObject({ status: 'done' });
  });

  test('contain a notice of what a person should know', async () => {
    const where = folder();
    const going = run({ playbook: 'ladder.yaml', ...where });
    const notices: RunEvent[] = [];
    for await (const event of going) if (event.kind === 'notice') notices.push(event);
    expect(notices).toEqual([
      {
        kind: 'notice',
        level: 'info',
        message: 'no deskhand.yaml: account main is the profile sandbox',
      },
    ]);
    expect((await going.result).notices).toEqual(notices);
  });
});

test('a finished run has nothing to resume, and its report is that of its end', async () => {
  const where = folder();
  const first = await run({ playbook: 'ladder.yaml', ...where }).result;
  const again = await resume({ run: runIn(first), ...where }).result;
  expect(again).toMatchObject({ status: 'done', exit: 0 });
  expect('report' in again && again.report).toEqual('report' in first && first.report);
});

test('the library writes only below its folders, and never changes the current folder', async () => {
  const where = folder();
  const here = process.cwd();
  await run({ playbook: 'ladder.yaml', ...where }).result;
  expect(process.cwd()).toBe(here);
  expect(readFileSync(join(where.cwd, 'out/tickers.csv'), 'utf8')).toContain('BTCUSDT');
  expect(readdirSync(where.cwd).sort()).toEqual([
    '.deskhand',
    'ladder.yaml',
    'out',
    'waiting.yaml',
  ]);
});

describe('a run that did not end blocks the next one of its playbook,', () => {
  const stopped = async () => {
    const where = folder({ 'again.yaml': waiting.replace('    once-per: playbook\n', '') });
    const going = run({ playbook: 'again.yaml', ...where });
    await untilPaused(going);
    return { where, left: runIn(await going.stop()) };
  };

  test('unless a person decided to run beside it, which is recorded', async () => {
    const { where, left } = await stopped();
    const again = { playbook: 'again.yaml', ...where };
    const blocked = await run(again).result;
    expect(blocked).toMatchObject({ status: 'refused', exit: 5, error: { code: 'unfinished' } });
    const unsaid = await run({ ...again, beside: { who: 'ann', reason: ' ' } }).result;
    expect(unsaid).toMatchObject({ status: 'refused', exit: 2, error: { code: 'usage' } });
    expect(await resting(where.cwd)).toBe(3);
    const beside = run({ ...again, beside: { who: 'ann', reason: 'cancelled by hand' } });
    await untilPaused(beside);
    await beside.stop();
    expect(await resting(where.cwd)).toBe(6);
    const { stdout } = await deskhand(['runs', 'show', left], where);
    expect(stdout).toMatch(/set aside by ann at .*: cancelled by hand/);
  });
});
