/** A plan is binding: it is run at most once, in time, by anyone who has it, and only while it still matches. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { files, ladder, masked } from './ladder.ts';
import { startSandboxIn } from './sandbox.ts';
import { killedAtStart } from './under-way.ts';

/** A rung far above the market: it is filled at once. */
const taker = ladder
  .replace('from=40000 to=39000', 'from=90000 to=89000')
  .replace('force: post_only', 'force: gtc')
  .replace('once-per: playbook', 'once-per: run');

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly at: (...words: string[]) => Promise<Ended>;
}

/** A folder with a sandbox that other folders can use as well. */
async function place(text = ladder): Promise<Place> {
  const cwd = folderWith({ 'ladder.yaml': text });
  const sandbox = await startSandboxIn(cwd);
  const env = sandbox.env('hedge');
  return { cwd, env, at: (...words) => deskhand(words, { cwd, env }) };
}

async function refused({ at }: Place, why: RegExp): Promise<void> {
  const { code, stderr } = await at('run', 'plan.json');
  expect([code, stderr]).toEqual([5, expect.stringMatching(why)]);
}

describe('a saved plan', () => {
  test('is refused when it has expired by the exchange’s clock', async () => {
    const here = await place();
    const { stdout } = await here.at(
      'plan',
      'ladder.yaml',
      '--out',
      'plan.json',
      '--expires',
      '2h',
    );
    expect(stdout).toContain('saved plan.json   valid for 2 h and one run');
    await here.at('sandbox', 'advance', '3h');
    await refused(here, /plan p-\w+ is 3 h old and was valid for 2 h; nothing was sent/);
  });

  test('is refused with the old and new price after a price moved', async () => {
    const here = await place();
    await here.at('plan', 'ladder.yaml', '--out', 'plan.json');
    const market = ['category=USDT-FUTURES', 'symbol=BTCUSDT', 'price=50000', 'mark=50000'];
    const moved = await here.at('sandbox', 'control', 'market', ...market);
    expect(moved.code).toBe(0);
    await refused(here, /is stale: the mark price of BTCUSDT was [\d.]+ and is 50000.0 \(-/);
    expect(existsSync(join(here.cwd, '.deskhand', 'runs'))).toBe(false);
  });

  test('that was started is not started again but resumed', async () => {
    const here = await place();
    await here.at('plan', 'ladder.yaml', '--out', 'plan.json');
    await killedAtStart(['run', 'plan.json'], here);
    const [run = ''] = readdirSync(join(here.cwd, '.deskhand', 'runs'));
    await refused(here, new RegExp(`already started as ${run}.*\n.*deskhand resume ${run}`));
    expect((await here.at('resume', run)).code).toBe(0);
    await refused(here, /already ran as/);
  });

  test('is run if its process crashed, or the disk was full, before anything was written', async () => {
    const here = await place();
    await here.at('plan', 'ladder.yaml', '--out', 'plan.json');
    const [, run = ''] =
      /"run": "(r-\w+)"/.exec(readFileSync(join(here.cwd, 'plan.json'), 'utf8')) ?? [];
    const folder = join(here.cwd, '.deskhand', 'runs', run);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'journal.ndjson'), '');
    const { code, stderr } = await here.at('run', 'plan.json');
    expect([code, stderr]).toEqual([0, expect.stringContaining(run)]);
  });

  test('that was run on another machine is refused, even when its orders are filled', async () => {
    const here = await place(taker);
    await here.at('plan', 'ladder.yaml', '--out', 'plan.json');
    expect((await here.at('run', 'plan.json')).code).toBe(0);
    const elsewhere = { ...here.env, DESKHAND_STATE_DIR: join(here.cwd, 'elsewhere') };
    const { code, stderr } = await deskhand(['run', 'plan.json'], {
      cwd: here.cwd,
      env: elsewhere,
    });
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/to be created and is nothing to do: order \d+ is filled/),
    ]);
  });

  test('made offline cannot be run', async () => {
    const cwd = folderWith(files);
    const words = ['plan', 'ladder.yaml', '--offline', '--out', 'plan.json'];
    expect((await deskhand(words, { cwd })).stdout).toContain('it cannot be run');
    const { code, stderr } = await deskhand(['run', 'plan.json'], { cwd });
    expect([code, stderr]).toEqual([5, expect.stringContaining('was made offline')]);
  });
});

test('a profile limits how long plans are valid, and --expires cannot exceed it', async () => {
  const config = 'profiles: { main: { plan: { expires: 90s, move: 2% } } }\n';
  const cwd = folderWith({ ...files, 'deskhand.yaml': config });
  const { stdout } = await deskhand(['plan', 'ladder.yaml'], { cwd });
  expect(stdout).toContain('valid for 90 s and one run');
  const longer = await deskhand(['plan', 'ladder.yaml', '--expires', '2h'], { cwd });
  expect([longer.code, longer.stderr]).toMatchSnapshot();
});

test('the totals of a run are shown before anything is sent', async () => {
  const { stderr } = await deskhand(['run', 'ladder.yaml'], { cwd: folderWith(files) });
  const totals = masked(stderr).split('\n').slice(0, 3).join('\n');
  expect(totals.replaceAll(/\+|-[\d.]+ %/g, '… %')).toMatchSnapshot();
});
