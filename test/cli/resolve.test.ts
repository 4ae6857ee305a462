import { userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';
import { files, ownOrders } from './ladder.ts';
import { startSandbox } from './sandbox.ts';
import { hurried, killed, loseSecondAnswer, underWay } from './under-way.ts';

const playbook = `playbook: 1
name: desks
steps:
  - id: sub
    uses: account/create-sub
    with: { username: alpha }
  - id: greeting
    needs: [sub]
    uses: market/list-tickers
    with: { category: SPOT }
    outputs: { uid: "{{ steps.sub.response.subUid }}" }
outputs: { uid: "{{ steps.greeting.outputs.uid }}" }
`;

/** Drops one request to create a sub-account before it arrives. */
const faults = `version: 1
faults:
  - match: { operation: account/create-sub }
    times: 1
    action: { kind: reset }
`;

/** A run that ended in doubt. */
async function doubted(): Promise<{ cwd: string; run: string; stdout: string }> {
  const cwd = folderWith({ 'desks.yaml': playbook, 'faults.yaml': faults });
  await deskhand(['sandbox', 'load', 'faults.yaml'], { cwd });
  const { code, stdout } = await deskhand(['run', 'desks.yaml'], { cwd });
  const run = /deskhand resume (r-[a-z0-9]+)/.exec(stdout)?.[1] ?? '';
  expect([code, run]).toEqual([6, expect.stringMatching(/^r-/)]);
  return { cwd, run, stdout };
}

describe('resolve', () => {
  test('is suggested three times by the summary, and after --absent resume sends the order again', async () => {
    const { cwd, run, stdout } = await doubted();
    for (const flag of ['--placed SUB_UID', '--absent', '--abandon']) {
      expect(stdout).toContain(`deskhand resolve ${run} sub ${flag}`);
    }
    const early = await deskhand(['resolve', run, 'sub', '--absent'], { cwd });
    expect([early.code, early.stderr]).toEqual([
      5,
      expect.stringMatching(
        /error\[evidence\] the exchange may accept it for another \d+(?:\.\d)? s/,
      ),
    ]);
    await deskhand(['sandbox', 'advance', '1m'], { cwd });
    const said = await deskhand(['resolve', run, 'sub', '--absent'], { cwd });
    expect([said.code, said.stdout]).toEqual([
      0,
      expect.stringContaining(`deskhand resume ${run}`),
    ]);
    const resumed = await deskhand(['resume', run, '-o', 'json'], { cwd });
    expect([resumed.code, JSON.parse(resumed.stdout)]).toMatchObject([0, { status: 'done' }]);
    expect(JSON.parse(resumed.stdout).outputs.uid).toMatch(/^\d+$/);
  });

  test('--placed is recorded with the person and the reason', async () => {
    const { cwd, run } = await doubted();
    const words = ['resolve', run, 'sub', '--placed', '7100000001', '--comment', 'on the page'];
    expect((await deskhand(words, { cwd })).code).toBe(0);
    const resumed = await deskhand(['resume', run, '-o', 'json'], { cwd });
    expect(JSON.parse(resumed.stdout)).toMatchObject({ exit: 0, outputs: { uid: '7100000001' } });
    expect((await deskhand(['runs', 'show', run], { cwd })).stdout).toContain(
      'none (a person recorded 1 as placed)',
    );
    const { stdout } = await deskhand(['runs', 'show', run, '-o', 'ndjson'], { cwd });
    const person = { who: userInfo().username, comment: 'on the page' };
    expect(stdout).toContain(`"evidence":"by-person","person":${JSON.stringify(person)}`);
    const again = await deskhand(['resolve', run, 'sub', '--abandon'], { cwd });
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('sub is not in doubt')]);
  });

  test('--placed records the sub-account of a used name, and every later run knows it', async () => {
    const text = playbook.replace('create-sub\n', 'create-sub\n    once-per: playbook\n');
    const cwd = folderWith({ 'desks.yaml': text });
    const words = ['call', 'account/create-sub', 'username=alpha', '-o', 'json'];
    const { subUid } = JSON.parse((await deskhand(words, { cwd })).stdout).answer;
    const { code, stdout } = await deskhand(['run', 'desks.yaml', '-o', 'json'], { cwd });
    const { run, refused } = JSON.parse(stdout);
    expect([code, refused]).toMatchObject([1, [{ code: '40107' }]]);
    for (const flag of ['--absent', '--abandon']) {
      expect((await deskhand(['resolve', run, 'sub', flag], { cwd })).code).toBe(2);
    }
    const said = await deskhand(['resolve', run, 'sub', '--placed', subUid], { cwd });
    expect([said.code, said.stdout]).toEqual([0, expect.stringContaining('sub is there')]);
    const resumed = await deskhand(['resume', run, '-o', 'json'], { cwd });
    expect(JSON.parse(resumed.stdout)).toMatchObject({ exit: 0, outputs: { uid: subUid } });
    const again = await deskhand(['plan', 'desks.yaml', '-o', 'json'], { cwd });
    expect(JSON.parse(again.stdout).totals).toMatchObject({ create: 0, unchanged: 1 });
  });

  test('--abandon ends the run without the write and the steps that need it', async () => {
    const { cwd, run } = await doubted();
    expect((await deskhand(['resolve', run, 'sub', '--abandon'], { cwd })).code).toBe(0);
    const { code, stdout } = await deskhand(['resume', run], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('none (a person abandoned 1)')]);
    expect(stdout).toContain('Not sent');
  });

  test('refuses invalid arguments and suggests similar ones', async () => {
    const { cwd, run } = await doubted();
    for (const [words, said] of [
      [[run, 'sub'], 'one of --placed ID, --absent, --abandon and --from-exchange is required'],
      [[run, 'sub', '--absent', '--abandon'], 'one of'],
      [[run, 'sub', '--placed', 'abc'], '--placed takes the id of the exchange'],
      [[run, 'sbu', '--abandon'], 'did you mean sub?'],
      [['r-nothere', 'sub', '--abandon'], 'no run r-nothere'],
    ] as const) {
      const { code, stderr } = await deskhand(['resolve', ...words], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
    }
  });
});

test('--from-exchange shows what it found, records it after consent, and leaves the rest in doubt', async () => {
  const exchange = await startSandbox();
  const env = { ...exchange.env('hedge'), ...hurried(exchange) };
  const cwd = folderWith({
    'ladder.yaml': files['ladder.yaml'],
    'deskhand.yaml': `profile: main
profiles: { main: { target: sandbox, base-url: "${exchange.baseUrl}", on-doubt: ask } }
`,
  });
  await loseSecondAnswer(exchange);
  const begun = await underWay(exchange, { cwd, env: exchange.env('hedge') });
  await killed(begun);
  const words = ['resolve', begun.run, '--from-exchange'];
  const asked = await deskhand(words, { cwd, env });
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('add --yes')]);
  expect(asked.stdout).toMatch(/orders\[39500\.0\]\s+placed\s+order \d+, clientOid dh/);
  for (const [more, hint] of [
    [['--absent'], 'use it without --from-exchange'],
    [['--placed', '1'], 'use it without --from-exchange'],
  ] as const) {
    const refused = await deskhand([...words, ...more], { cwd, env });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(hint)]);
  }
  const alone = await deskhand(['resolve', begun.run, '--yes'], { cwd, env });
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--yes is for')]);
  const said = await deskhand([...words, '--yes'], { cwd, env });
  expect([said.code, said.stdout]).toEqual([0, expect.stringContaining('recorded: 1 outcome')]);
  const again = await deskhand([...words, '--yes'], { cwd, env });
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('is in doubt')]);
  const resumed = await deskhand(['resume', begun.run], { cwd, env });
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
  const names = await ownOrders(cwd, env);
  expect([names.length, new Set(names).size]).toEqual([3, 3]);
});

test('--from-exchange leaves what no list shows in doubt, with exit code 6', async () => {
  const { cwd, run } = await doubted();
  const { code, stdout } = await deskhand(['resolve', run, '--from-exchange', '--yes'], { cwd });
  expect([code, stdout]).toEqual([6, expect.stringMatching(/sub\s+cannot tell\s+no list shows/)]);
  expect(stdout).toContain('1 in doubt');
});
