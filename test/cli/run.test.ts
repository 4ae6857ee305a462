import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { entrySchema } from '../../src/journal/schema.ts';
import { planSchema } from '../../src/plan/schema.ts';
import { begin, deskhand, folderWith } from './deskhand.ts';
import { startSandbox } from './sandbox.ts';

const ladder = `playbook: 1
name: ladder
inputs:
  rungs: { type: integer, default: 3 }
account: main
guards: { max-writes: 10 }
steps:
  - id: orders
    for-each: "{{ ladder from=40000 to=39000 count=inputs.rungs tick=0.1 total=0.030 lot=0.001 }}"
    key: "{{ each.value.price }}"
    uses: futures/place-order
    once-per: playbook
    with:
      symbol: BTCUSDT
      productType: USDT-FUTURES
      marginMode: crossed
      marginCoin: USDT
      side: buy
      tradeSide: open
      orderType: limit
      force: post_only
      price: "{{ each.value.price }}"
      size: "{{ each.value.size }}"
  - id: tickers
    uses: market/list-tickers
    with: { category: SPOT }
    write: { file: out/tickers.csv, columns: { symbol: "{{ row.symbol }}" } }
outputs:
  orders: "{{ pluck steps.orders.outputs 'clientOid' }}"
`;

const files = { 'ladder.yaml': ladder };
const ajv = new Ajv({ strict: false, logger: false });

/** Without the ids that differ from plan to plan. */
function masked(text: string): string {
  return text.replaceAll(/p-[0-9a-f]{8}/g, 'p-…');
}

/** How many orders rest in the world of a folder. */
async function resting(cwd: string): Promise<number> {
  const words = [
    'call',
    'order/list-open',
    'category=USDT-FUTURES',
    'symbol=BTCUSDT',
    '-o',
    'json',
  ];
  const { stdout } = await deskhand(words, { cwd });
  return JSON.parse(stdout).list.length;
}

describe('plan', () => {
  test('is shown, saved, and changes nothing', async () => {
    const cwd = folderWith(files);
    const { code, stdout, stderr } = await deskhand(['plan', 'ladder.yaml'], { cwd });
    expect([code, stderr]).toEqual([0, 'no deskhand.yaml: account main is the profile sandbox\n']);
    expect(stdout).toContain('3 to create');
    expect(stdout).toContain('+ BTCUSDT buy  0.01 @ 40,000  post_only');
    const [saved = ''] = readdirSync(join(cwd, '.deskhand', 'plans'));
    expect(stdout).toContain(`Next  deskhand run .deskhand/plans/${saved}`);
    expect(await resting(cwd)).toBe(0);
  });

  test('-o json is a plan as its schema says, and nothing else', async () => {
    const cwd = folderWith(files);
    const { stdout } = await deskhand(['plan', 'ladder.yaml', '-o', 'json'], { cwd });
    const isPlan = ajv.compile(planSchema.json);
    expect(isPlan(JSON.parse(stdout)) ? [] : isPlan.errors).toEqual([]);
  });

  test('--exit-code tells changes from none', async () => {
    const cwd = folderWith(files);
    const words = ['plan', 'ladder.yaml', '--exit-code', '-q'];
    expect((await deskhand(words, { cwd })).code).toBe(10);
    await deskhand(['run', 'ladder.yaml'], { cwd });
    expect((await deskhand(words, { cwd })).code).toBe(0);
  });

  test('--offline makes no request', async () => {
    const cwd = folderWith(files);
    const env = { DESKHAND_BASE_URL: 'http://127.0.0.1:9' };
    const { code, stdout } = await deskhand(['plan', 'ladder.yaml', '--offline'], { cwd, env });
    expect([code, stdout.includes('made offline: nothing was read')]).toEqual([0, true]);
  });

  test('a broken guard is exit 5', async () => {
    const cwd = folderWith(files);
    const words = ['plan', 'ladder.yaml', '--var', 'rungs=20'];
    const { code, stdout } = await deskhand(words, { cwd });
    expect([code, stdout.includes('! guard max-writes')]).toEqual([5, true]);
    const run = await deskhand(['run', 'ladder.yaml', '--var', 'rungs=20'], { cwd });
    expect([run.code, await resting(cwd)]).toEqual([5, 0]);
  });

  test('an input that does not fit is named', async () => {
    const words = ['plan', 'ladder.yaml', '--var', 'rungs=many', '--var', 'rung=3'];
    const { code, stderr } = await deskhand(words, { cwd: folderWith(files) });
    expect(code).toBe(3);
    expect(stderr).toMatchSnapshot();
  });
});

describe('run', () => {
  test('on the sandbox it just runs, and a second run sends nothing', async () => {
    const cwd = folderWith(files);
    const first = await deskhand(['run', 'ladder.yaml'], { cwd });
    expect([first.code, await resting(cwd)]).toEqual([0, 3]);
    expect(first.stdout).toContain('In doubt  none');
    const second = await deskhand(['run', 'ladder.yaml', '-o', 'json'], { cwd });
    expect(JSON.parse(second.stdout)).toMatchObject({ version: 1, status: 'done', exit: 0 });
    expect([second.code, await resting(cwd)]).toEqual([0, 3]);
    expect(readFileSync(join(cwd, 'out', 'tickers.csv'), 'utf8')).toContain('BTCUSDT');
  });

  test('-o ndjson is one entry a line, as its schema says', async () => {
    const cwd = folderWith(files);
    const { stdout } = await deskhand(['run', 'ladder.yaml', '-o', 'ndjson'], { cwd });
    const isEntry = ajv.compile(entrySchema.json);
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.at(-1)).toMatchObject({ version: 1, kind: 'finished', exit: 0 });
    expect(entries.filter((entry) => !isEntry(entry))).toEqual([]);
  });

  test('--json-into and --report write beside what is shown', async () => {
    const cwd = folderWith(files);
    const words = ['run', 'ladder.yaml', '-q', '--json-into', 'result.json', '--report', 'papers'];
    await deskhand(words, { cwd });
    const { run } = JSON.parse(readFileSync(join(cwd, 'result.json'), 'utf8'));
    expect(readFileSync(join(cwd, 'papers', `${run}.html`), 'utf8')).toContain('<!doctype html>');
  });

  test('a reader that leaves does not disturb it', async () => {
    const cwd = folderWith(files);
    const child = await begin(['run', 'ladder.yaml', '-o', 'ndjson'], { cwd });
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect([code, await resting(cwd)]).toEqual([0, 3]);
  });

  test('--only does one step', async () => {
    const cwd = folderWith(files);
    await deskhand(['run', 'ladder.yaml', '--only', 'tickers'], { cwd });
    expect([existsSync(join(cwd, 'out', 'tickers.csv')), await resting(cwd)]).toEqual([true, 0]);
  });

  test('no key or secret is written anywhere', async () => {
    const sandbox = await startSandbox();
    const cwd = folderWith(files);
    const env = sandbox.env('hedge');
    const { stdout, stderr } = await deskhand(['run', 'ladder.yaml', '-v'], { cwd, env });
    const written = readdirSync(cwd, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    for (const name of ['KEY', 'SECRET', 'PASSPHRASE']) {
      const secret = env[`DESKHAND_API_${name}`] ?? '';
      for (const text of [stdout, stderr, ...written]) expect(text).not.toContain(secret);
    }
  });
});

describe('a reviewed plan', () => {
  async function planned(cwd: string): Promise<string> {
    await deskhand(['plan', 'ladder.yaml', '--out', 'plan.json'], { cwd });
    return 'plan.json';
  }

  test('is run exactly, and only once', async () => {
    const cwd = folderWith(files);
    const plan = await planned(cwd);
    const first = await deskhand(['run', plan], { cwd });
    expect([first.code, await resting(cwd)]).toEqual([0, 3]);
    const second = await deskhand(['run', plan], { cwd });
    expect([second.code, second.stderr.startsWith('error[stale-plan]')]).toEqual([5, true]);
  });

  test('is refused when the playbook was changed since', async () => {
    const cwd = folderWith(files);
    const plan = await planned(cwd);
    writeFileSync(join(cwd, 'ladder.yaml'), ladder.replace('0.030', '0.060'));
    const { code, stderr } = await deskhand(['run', plan], { cwd });
    expect([code, masked(stderr)]).toMatchSnapshot();
  });

  test('is refused when what it would do moved since', async () => {
    const cwd = folderWith(files);
    const plan = await planned(cwd);
    await deskhand(['run', 'ladder.yaml'], { cwd });
    const { code, stderr } = await deskhand(['run', plan], { cwd });
    expect([code, masked(stderr)]).toMatchSnapshot();
  });

  test('is refused when its file was changed', async () => {
    const cwd = folderWith(files);
    const plan = join(cwd, await planned(cwd));
    writeFileSync(plan, readFileSync(plan, 'utf8').replaceAll('39000', '41000'));
    expect((await deskhand(['run', 'plan.json'], { cwd })).code).toBe(5);
  });

  test('cannot be given other inputs', async () => {
    const cwd = folderWith(files);
    const plan = await planned(cwd);
    const { code } = await deskhand(['run', plan, '--var', 'rungs=1'], { cwd });
    expect(code).toBe(2);
  });
});

describe('a live account', () => {
  async function liveFolder(): Promise<{ cwd: string; env: Readonly<Record<string, string>> }> {
    const sandbox = await startSandbox();
    const config = `profiles: { main: { target: live, base-url: "${sandbox.baseUrl}" } }\n`;
    const { DESKHAND_BASE_URL: _url, ...env } = sandbox.env('hedge');
    return { cwd: folderWith({ ...files, 'deskhand.yaml': config }), env };
  }

  test('needs approval, and says so on every screen', async () => {
    const start = await liveFolder();
    const { code, stderr } = await deskhand(['run', 'ladder.yaml'], start);
    expect(code).toBe(5);
    expect(stderr.startsWith('LIVE main (key')).toBe(true);
    expect(masked(stderr.slice(stderr.indexOf('error[')))).toMatchSnapshot();
    const id = /--approve (p-[0-9a-f]{8})/.exec(stderr)?.[1] ?? '';
    const approved = await deskhand(['run', 'ladder.yaml', '--approve', id], start);
    expect([approved.code, approved.stdout.includes('LIVE main')]).toEqual([0, true]);
  });

  test('runs a plan whose id is approved', async () => {
    const start = await liveFolder();
    const { stdout } = await deskhand(['plan', 'ladder.yaml'], start);
    expect(stdout.startsWith('LIVE main')).toBe(true);
    const id = /Plan (p-[0-9a-f]{8})/.exec(stdout)?.[1] ?? '';
    const other = await deskhand(['run', 'ladder.yaml', '--approve', 'p-00000000'], start);
    expect(other.code).toBe(5);
    const run = await deskhand(['run', 'ladder.yaml', '--approve', id], start);
    expect([run.code, run.stdout.includes('LIVE main')]).toEqual([0, true]);
  });

  test('a single write by hand is held back without a person', async () => {
    const start = await liveFolder();
    const words = ['-p', 'main', 'call', 'account/create-sub', 'username=alpha'];
    const { code, stderr } = await deskhand(words, start);
    expect([code, stderr]).toMatchSnapshot();
  });

  test('without its key it names the variables', async () => {
    const { cwd } = await liveFolder();
    const { code, stderr } = await deskhand(['run', 'ladder.yaml'], { cwd });
    expect([code, stderr]).toMatchSnapshot();
  });

  test('is not used with the check of certificates switched off', async () => {
    const { cwd, env } = await liveFolder();
    const unsafe = { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const { code, stderr } = await deskhand(['run', 'ladder.yaml'], { cwd, env: unsafe });
    expect([code, stderr.includes('NODE_TLS_REJECT_UNAUTHORIZED')]).toEqual([4, true]);
  });
});

describe('an interrupted run', () => {
  const waiting = ladder
    .replace(
      '  - id: tickers',
      '  - id: pause\n    uses: wait\n    with: { for: 1h }\n  - id: tickers',
    )
    .replace('name: ladder', 'name: waiting');

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'by %s ends with %i, and resume goes on without sending twice',
    async (signal, exit) => {
      const cwd = folderWith({ 'waiting.yaml': waiting });
      const child = await begin(['run', 'waiting.yaml', '-o', 'ndjson'], { cwd });
      let run = '';
      for await (const chunk of child.stdout) {
        run = /"run":"(r-[a-z0-9]+)"/.exec(String(chunk))?.[1] ?? run;
        if (String(chunk).includes('"step":"pause"')) break;
      }
      child.kill(signal);
      const [code] = await once(child, 'exit');
      expect(code).toBe(exit);
      writeFileSync(join(cwd, 'waiting.yaml'), waiting.replace('for: 1h', 'for: 2h'));
      const shown = await deskhand(['runs', 'show', run], { cwd });
      expect(shown.stdout).toContain('Interrupted at step 2 of 3');
      expect(await resting(cwd)).toBe(3);
    },
  );

  test('a run that was done has nothing to resume', async () => {
    const cwd = folderWith(files);
    const { stdout } = await deskhand(['run', 'ladder.yaml', '-o', 'json'], { cwd });
    const { code, stderr } = await deskhand(['resume', JSON.parse(stdout).run], { cwd });
    expect([code, stderr.includes('there is nothing to resume')]).toEqual([0, true]);
  });

  test('an unknown run names the near one', async () => {
    const { code, stderr } = await deskhand(['resume', 'r-000000'], { cwd: folderWith() });
    expect([code, stderr.includes('there is no run r-000000')]).toEqual([2, true]);
  });
});

describe('demo', () => {
  test('shows everything once, and places nothing a second time', async () => {
    const cwd = folderWith();
    const first = await deskhand(['demo'], { cwd });
    expect([first.code, first.stdout.includes('Nothing was placed twice')]).toEqual([0, false]);
    for (const file of ['playbook.yaml', 'report.html', 'bills.csv', 'volume.csv']) {
      expect(existsSync(join(cwd, 'demo', file))).toBe(true);
    }
    const second = await deskhand(['demo'], { cwd });
    expect([second.code, second.stdout.includes('Nothing was placed twice')]).toEqual([0, true]);
    expect(await resting(cwd)).toBe(3);
  });
});
