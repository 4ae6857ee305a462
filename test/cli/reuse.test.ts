/** `--from STEP --of RUN`, as an operator types it: what an ended run did is shown, reused, and never sent again. */
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Reused } from '../../src/engine/journal/reused.ts';
import { sealed } from '../../src/engine/plan/digest.ts';
import { planIn, sealedText } from '../../src/engine/plan/file.ts';
import { limitOrder } from '../support/order.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';

const job = `playbook: 1
name: job
inputs:
  size: { type: decimal, default: "0.001" }
  title: { type: string, default: Morning }
steps:
  - id: market
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    outputs: { price: "{{ floorTo (mul response.0.lastPrice 0.6) 0.1 }}" }
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '{{ steps.market.outputs.price }}', size: '{{ inputs.size }}' })}
  - id: rows
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
    write: { file: out/rows.csv }
  - id: table
    uses: report/table
    with: { from: rows, sort: [symbol], first: 2 }
    write: { file: out/table.csv, overwrite: true }
  - id: last
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0', size: '0.002' })}
  - id: page
    uses: report/page
    with:
      file: out/page.html
      title: "{{ inputs.title }}"
      parts: [{ text: "Order {{ steps.bid.response.orderId }} at {{ steps.market.outputs.price }}" }]
outputs:
  price: "{{ steps.market.outputs.price }}"
  order: "{{ steps.bid.response.orderId }}"
`;

/** The parts of JSON results that are looked at. */
interface Said {
  readonly run: string;
  readonly outputs: object;
  readonly orders: readonly object[];
  readonly steps: readonly { readonly id: string; readonly reused?: string }[];
  readonly answer: { readonly list: readonly object[] };
  readonly reused: object;
  readonly totals: object;
}

interface Desk {
  readonly cwd: string;
  readonly type: (...words: string[]) => Promise<Ended>;
  readonly json: (...words: string[]) => Promise<Said>;
  readonly runs: () => readonly string[];
  readonly open: () => Promise<number>;
}

function deskWith(files: Readonly<Record<string, string>>): Desk {
  const cwd = folderWith(files);
  const type = (...words: string[]): Promise<Ended> => deskhand(words, { cwd });
  const json = async (...words: string[]): Promise<Said> =>
    JSON.parse((await type(...words, '-o', 'json')).stdout);
  return {
    cwd,
    type,
    json,
    runs: () => readdirSync(join(cwd, '.deskhand', 'runs')),
    open: async () => {
      const { answer } = await json('call', 'order/list-open', 'category=USDT-FUTURES');
      return answer.list.length;
    },
  };
}

/** A desk on which the job has run once. */
async function afterRun(files: Readonly<Record<string, string>> = { 'job.yaml': job }) {
  const desk = deskWith(files);
  expect((await desk.type('run', 'job.yaml')).code).toBe(0);
  const [run = ''] = desk.runs();
  return { ...desk, run };
}

test('a plan shows what is reused, and its run sends only the rest', async () => {
  const { cwd, type, json, run, runs, open } = await afterRun();
  const before = await open();
  const words = ['plan', 'job.yaml', '--from', 'last', '--of', run, '--var', 'title=Evening'];
  const { code, stdout } = await type(...words, '--out', 'plan.json');
  expect(code).toBe(0);
  const shown = stdout.replaceAll(run, 'RUN').replace(/"price":"[\d.]+"/, '"price":"P"');
  const lines = shown.split('\n').filter((line) => line.includes('RUN'));
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "! 1 order of RUN in what is executed again: they stay, beside what is sent now
      ↺ market  reused from RUN: {"price":"P"}
      ↺ bid  reused from RUN: 1 order
      ↺ rows  reused from RUN: out/rows.csv, 9 rows
      ↺ table  reused from RUN: out/table.csv, 2 rows"
  `);
  const plan = await json(...words);
  expect(plan.reused).toMatchObject({
    run,
    from: ['last'],
    journal: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(plan.totals).toMatchObject({ create: 1, orders: 1 });
  const report = await json('run', 'plan.json');
  expect(report).toMatchObject({ exit: 0 });
  expect(await open()).toBe(before + 1);
  const second = runs().find((name) => name !== run) ?? '';
  expect(report.orders).toHaveLength(1);
  expect(report.steps.map((step) => [step.id, step.reused === run])).toEqual([
    ['market', true],
    ['bid', true],
    ['rows', true],
    ['table', true],
    ['last', false],
    ['page', false],
  ]);
  const { outputs } = await json('runs', 'outputs', second);
  expect(outputs).toEqual((await json('runs', 'outputs', run)).outputs);
  const page = readFileSync(join(cwd, 'out', 'page.html'), 'utf8');
  expect(page).toMatch(/File of it[^]*out\/rows\.csv[^]*sha256 [0-9a-f]{64}/);
  expect((await type('runs', 'replay', second)).code).toBe(0);
  expect((await type('runs', 'verify', second)).code).toBe(0);
  expect((await type('drift', 'job.yaml')).stdout).toContain('0 differences');
  expect((await type('resume', second)).stderr).toContain('is done; there is nothing to resume');
  const third = await type('run', 'job.yaml', '--from', 'page', '--of', second);
  expect(third.code, third.stderr).toBe(0);
  expect(third.stdout).toContain(`✔ 4 steps reused from ${run}`);
  expect(third.stdout).toContain(`✔ 1 step reused from ${second}`);
  expect(await open()).toBe(before + 1);
});

test('a plan is refused when the journal of that run was changed, or is gone', async () => {
  const { cwd, type, run } = await afterRun();
  await type('plan', 'job.yaml', '--from', 'page', '--of', run, '--out', 'plan.json');
  const plan = planIn(readFileSync(join(cwd, 'plan.json')), 'plan.json');
  const forged = async (reused: Partial<Reused>): Promise<string> => {
    if (plan.reused === undefined) throw new Error('nothing is reused');
    const { id: _id, digest: _digest, ...rest } = plan;
    const other = sealed({ ...rest, reused: { ...plan.reused, ...reused } });
    writeFileSync(join(cwd, 'forged.json'), sealedText(other));
    const { code, stderr } = await type('run', 'forged.json');
    const first = stderr.split('\n').find((line) => line.startsWith('error')) ?? '';
    return `${code} ${first.replaceAll(run, 'RUN').replaceAll(other.id, 'PLAN')}`;
  };
  expect(await forged({ journal: '0'.repeat(64) })).toBe(
    '5 error[stale-plan] the journal of RUN, whose steps plan PLAN reuses, was changed since; nothing was sent',
  );
  const [market, ...steps] = plan.reused?.steps ?? [];
  if (market === undefined) throw new Error('no step');
  const results = [{ status: 'done' as const, response: [], outputs: { price: '1.0' } }];
  expect(await forged({ steps: [{ ...market, results }, ...steps] })).toMatch(
    /^5 error\[stale-plan\] plan PLAN differs from the plan that its playbook gives: reused\.steps\.0/,
  );
  rmSync(join(cwd, '.deskhand', 'runs', run), { recursive: true });
  rmSync(join(cwd, '.deskhand', 'high-water'), { recursive: true });
  const gone = await type('run', 'plan.json');
  expect(gone.code).toBe(5);
  expect(gone.stderr).toContain(`reuses steps of ${run}: no run ${run} in `);
});

test('a plan that executes a step again counts the orders that a run reused of an earlier one', async () => {
  const { type, json, run } = await afterRun();
  const { run: second } = await json('run', 'job.yaml', '--from', 'page', '--of', run);
  const { stdout } = await type('plan', 'job.yaml', '--from', 'bid', '--of', second);
  expect(stdout).toContain(`2 orders of ${second} in what is executed again`);
});

test('a step that was changed, an input that it read and a file that it wrote are refused', async () => {
  const { cwd, type, run } = await afterRun();
  const errorOf = async (...words: string[]): Promise<string> => {
    const { code, stderr } = await type('plan', 'job.yaml', ...words, '--of', run);
    return `${code} ${stderr.trim().replaceAll(run, 'RUN').split('\n').slice(-2).join('\n')}`;
  };
  expect(await errorOf('--from', 'page', '--var', 'size=0.005')).toMatchInlineSnapshot(`
    "5 error[reuse] step bid read input size in RUN, and a reused step cannot read another value; nothing was sent
      help  leave out --var size, or execute that step, too: --from bid, which sends 2 orders of RUN again"
  `);
  writeFileSync(join(cwd, 'job.yaml'), job.replace('first: 2', 'first: 3'));
  expect(await errorOf('--from', 'page')).toMatchInlineSnapshot(`
    "5 error[reuse] step table was changed since RUN, so its result cannot be reused; nothing was sent
      help  execute that step, too: --from table, which sends 1 order of RUN again"
  `);
  expect((await type('plan', 'job.yaml', '--from', 'table', '--of', run)).code).toBe(0);
  writeFileSync(join(cwd, 'job.yaml'), `# a comment\n${job}`);
  appendFileSync(join(cwd, 'out', 'rows.csv'), 'x\n');
  expect(await errorOf('--from', 'page')).toMatchInlineSnapshot(`
    "5 error[reuse] out/rows.csv, which step rows wrote in RUN, was changed since; nothing was sent
      help  execute that step, too: --from rows, which sends 1 order of RUN again"
  `);
  rmSync(join(cwd, 'out', 'rows.csv'));
  expect(await errorOf('--from', 'page')).toMatchInlineSnapshot(`
    "5 error[reuse] out/rows.csv, which step rows wrote in RUN, is not here; nothing was sent
      help  fetch it with \`deskhand runs files RUN\`, or execute that step, too: --from rows, which sends 1 order of RUN again"
  `);
  expect((await type('runs', 'files', run)).stdout).toContain('out/rows.csv');
  expect(await errorOf('--from', 'pge')).toMatchInlineSnapshot(`
    "2 error[usage] unknown step "pge"
      help  did you mean page?"
  `);
  expect(await errorOf('--from', 'market')).toMatchInlineSnapshot(`
    "2 error[usage] all steps wait for "market", so none can be reused
      help  run the playbook: deskhand run job.yaml, which sends 2 orders of RUN again"
  `);
  expect(await errorOf('--from', 'page', '--only', 'page')).toMatchInlineSnapshot(
    `"2 error[usage] --only cannot be combined with --from"`,
  );
  expect(await errorOf('--from', 'page', '--queue')).toMatchInlineSnapshot(`
    "2 error[usage] --from plans where its files are, not on a worker
      help  omit --queue, then queue the plan: deskhand run PLAN --queue"
  `);
  expect(await errorOf()).toMatchInlineSnapshot(`
    "2 error[usage] --from and --of belong together: the first step to execute, and the run that did the others
      help  such as --from report --of r-20260102-030405-abcd"
  `);
});

const stopping = `playbook: 1
name: job
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}
  - id: check
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
    expect: [{ that: "{{ gt 1 2 }}", message: not yet }]
on-failure:
  - id: rescue
    uses: futures/place-order
    with:${limitOrder({ price: '39000.0' })}
`;

test('a run whose failure is final names the command, which runs the rest of it', async () => {
  const { cwd, type, runs, open } = deskWith({ 'job.yaml': stopping });
  expect((await type('run', 'job.yaml')).code).toBe(1);
  const [run = ''] = runs();
  const { stdout } = await type('runs', 'show', run);
  const command = `deskhand run job.yaml -p sandbox --from check --of ${run}`;
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(command);
  const before = await open();
  writeFileSync(join(cwd, 'job.yaml'), stopping.replace('gt 1 2', 'gt 2 1'));
  const again = await type(...command.split(' ').slice(1));
  expect(again.code, again.stderr).toBe(0);
  expect(await open()).toBe(before);
});

test('a run that can be resumed names resume, and steps of on-failure and nested steps are refused', async () => {
  const { type, runs } = deskWith({
    'job.yaml': stopping.slice(0, stopping.indexOf('on-failure')),
    'outer.yaml': `playbook: 1\nname: outer\nsteps:\n  - { id: a, uses: market/list-tickers, with: { category: USDT-FUTURES } }\n  - { id: desk, uses: ./inner.yaml }\nfinally:\n  - { id: end, uses: market/list-tickers, with: { category: USDT-FUTURES } }\n`,
    'inner.yaml':
      'playbook: 1\nname: inner\nsteps:\n  - { id: deep, uses: market/list-tickers, with: { category: USDT-FUTURES } }\n',
  });
  expect((await type('run', 'job.yaml')).code).toBe(1);
  const [run = ''] = runs();
  const words = ['--from', 'check', '--of', run];
  const { code, stderr } = await type('run', 'job.yaml', ...words);
  expect([code, stderr]).toEqual([5, expect.stringContaining(`deskhand resume ${run}`)]);
  expect((await type('run', 'outer.yaml')).code).toBe(0);
  const outer = runs().find((name) => name !== run) ?? '';
  const refused = async (from: string): Promise<string> =>
    (await type('plan', 'outer.yaml', '--from', from, '--of', outer)).stderr.trim();
  expect(await refused('deep')).toMatchInlineSnapshot(`
    "error[usage] "deep" is within step desk, which is reused or executed as a whole
      help  name that step: --from desk"
  `);
  expect(await refused('desk/deep')).toContain('--from desk');
  expect(await refused('end')).toMatchInlineSnapshot(`
    "error[usage] "end" is a step of on-failure or finally, and these are never reused
      help  name a step before them: a, desk"
  `);
  expect((await type('plan', 'outer.yaml', '--from', 'desk', '--of', outer)).code).toBe(0);
  const other = await type('plan', 'outer.yaml', '--from', 'desk', '--of', run);
  expect(other.stderr).toContain('is a run of playbook job, not of outer');
  expect(other.stderr).toContain('deskhand runs list --playbook outer');
  expect((await type('runs', 'list', '--playbook', 'outer')).stdout).toContain(outer);
});
