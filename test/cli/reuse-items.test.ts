/** A loop that the exchange refused in the middle: a corrected playbook does the items that are left, each order once. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { halfLoop, ofRow, rightRows, twoOrders, wrongRows } from '../support/half-loop.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';

const config = 'profiles:\n  main: { target: sandbox }\n';

interface Desk {
  readonly type: (...words: string[]) => Promise<Ended>;
  readonly write: (name: string, text: string) => void;
  readonly read: (name: string) => string;
  readonly runs: () => readonly string[];
  /** The prices of the orders in the books, from which no run has sent any twice. */
  readonly prices: () => Promise<readonly string[]>;
}

function deskWith(files: Readonly<Record<string, string>>): Desk {
  const cwd = folderWith({ 'deskhand.yaml': config, 'orders.csv': wrongRows, ...files });
  const type = (...words: string[]): Promise<Ended> => deskhand(words, { cwd });
  return {
    type,
    write: (name, text) => writeFileSync(join(cwd, name), text),
    read: (name) => readFileSync(join(cwd, name), 'utf8'),
    runs: () => readdirSync(join(cwd, '.deskhand', 'runs')),
    prices: async () => {
      const words = ['order/list-open', 'category=USDT-FUTURES', '-p', 'main', '-o', 'json'];
      const { answer } = JSON.parse((await type('call', ...words)).stdout);
      const all = answer.list.map(({ price }: { price: string }) => price);
      return all.filter((price: string) => price.startsWith('4')).sort();
    },
  };
}

const inputs = ['--var-file', 'orders=orders.csv'];

/** The words of the command that a screen names, which ends with its run. */
function commandIn({ stdout }: Ended, run: string): readonly string[] {
  const found = /deskhand (run \S+ -p main .*?--of \S+)/.exec(stdout.replaceAll(/\s+/g, ' '));
  return (found?.[1] ?? `no command of ${run}`).replaceAll("'", '').split(' ');
}

/** A run of the job that the exchange refused. */
async function refused(desk: Desk): Promise<string> {
  expect((await desk.type('run', 'job.yaml', ...inputs)).code).toBe(1);
  return desk.runs()[0] ?? '';
}

test.for([undefined, 'name'])(
  'the command that the screen names does the rest, of rows with key %s',
  async (key) => {
    const desk = deskWith({ 'job.yaml': halfLoop(key) });
    const run = await refused(desk);
    expect(await desk.prices()).toEqual(['40000.0', '41000.0']);
    const aside = await desk.type('runs', 'set-aside', run, '--reason', 'wrong side');
    const command = commandIn(aside, run);
    const named = key === undefined ? 'enter[2]' : 'enter[c]';
    expect(command).toEqual(`run job.yaml -p main --from ${named} --of ${run}`.split(' '));
    desk.write('orders.csv', rightRows);
    const plan = await desk.type('plan', ...command.slice(1), ...inputs, '--out', 'plan.json');
    expect(plan.stdout.replaceAll(run, 'RUN')).toMatch(
      /↺ [0a] {2}reused from RUN: BTCUSDT buy 0.001 @ 40000.0\n +↺ [1b] {2}reused from RUN: BTCUSDT buy 0.002 @ 41000.0\n/,
    );
    expect(plan.stdout).toContain('2 to create');
    const report = JSON.parse((await desk.type('run', 'plan.json', '-o', 'json')).stdout);
    expect(await desk.prices()).toEqual(['40000.0', '41000.0', '42000.0', '43000.0']);
    const second = desk.runs().find((name) => name !== run) ?? '';
    const shown = await desk.type('runs', 'show', second);
    expect(shown.stdout).toContain(`2 items reused from ${run}`);
    expect(report.steps[0]).toMatchObject({
      detail: `2 of 2, 2 reused from ${run}`,
      reusedItems: [
        { key: key === undefined ? '0' : 'a', run },
        { key: key === undefined ? '1' : 'b', run },
      ],
    });
    const { outputs } = JSON.parse(
      (await desk.type('runs', 'outputs', second, '-o', 'json')).stdout,
    );
    expect(Object.keys(outputs.ids)).toHaveLength(4);
    expect((await desk.type('runs', 'replay', second)).code).toBe(0);
    expect((await desk.type('drift', 'job.yaml')).stdout).toContain('0 differences');
    expect((await desk.type('run', 'plan.json')).code).not.toBe(0);
    const twice = await desk.type(...command, ...inputs);
    expect([twice.code, twice.stderr]).toEqual([
      5,
      expect.stringContaining(
        `${second} already sent 2 orders for the rest of ${run}; nothing was sent`,
      ),
    ]);
    expect(await desk.prices()).toHaveLength(4);
  },
);

test('the rest of a rest is done by the last of three runs only', async () => {
  const steps = ['w', 'x', 'y'].map((id) => `  - { id: ${id}, uses: wait, with: { for: 1ms } }\n`);
  const long = halfLoop().replace('outputs:\n', `${steps.join('')}outputs:\n`);
  const desk = deskWith({ 'job.yaml': long }); // five steps are left
  const run = await refused(desk);
  const aside = await desk.type('runs', 'set-aside', run, '--reason', 'wrong side');
  const words = commandIn(aside, run);
  expect((await desk.type(...words, ...inputs)).code).toBe(1); // the row is as wrong as before
  const second = desk.runs().find((name) => name !== run) ?? '';
  const shown = await desk.type('runs', 'set-aside', second, '--reason', 'still wrong');
  const next = commandIn(shown, second);
  expect(next).toEqual(words.map((word) => (word === run ? second : word)));
  desk.write('orders.csv', rightRows);
  expect((await desk.type(...next, ...inputs)).code).toBe(0);
  const all = ['40000.0', '41000.0', '42000.0', '43000.0'];
  expect(await desk.prices()).toEqual(all);
  for (const again of [words, next]) {
    const { code, stderr } = await desk.type(...again, ...inputs);
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining('already sent 2 orders for the rest'),
    ]);
  }
  expect(await desk.prices()).toEqual(all);
});

test('orders that ran beside the refused one, or before a step that failed, are done in all later runs', async () => {
  const pre = (isMet: boolean): string =>
    `steps:\n  - id: pre\n    uses: market/list-tickers\n    with: { category: USDT-FUTURES, symbol: BTCUSDT }\n    expect: [ { that: "{{ eq inputs.limit ${isMet ? '1' : '2'} }}" } ]`;
  const job = (isMet: boolean): string =>
    halfLoop('name')
      .replace('inputs:', 'inputs:\n  limit: { type: integer, default: 1 }')
      .replace('steps:', pre(isMet))
      .replace('    key:', '    parallel: 2\n    key:');
  const desk = deskWith({ 'job.yaml': job(true) });
  const rows = (first: string): string =>
    `name,side,kind,price,size\na,${first},0.001\nb,buy,open,41000.0,0.002\nc,buy,open,42000.0,0.003\n`;
  desk.write('orders.csv', rows('sell,close,90000.0'));
  const first = await refused(desk);
  const begun = await desk.prices();
  expect(begun).toContain('41000.0');
  await desk.type('runs', 'set-aside', first, '--reason', 'wrong side');
  desk.write('job.yaml', job(false));
  const words = ['--from', 'pre', '--from', 'enter[a]', '--of'];
  expect((await desk.type('run', 'job.yaml', ...inputs, ...words, first)).code).toBe(1);
  const second = desk.runs().find((run) => run !== first) ?? '';
  expect(await desk.prices()).toEqual(begun);
  const aside = await desk.type('runs', 'set-aside', second, '--reason', 'limit');
  const command = commandIn(aside, second);
  expect(command.join(' ')).toContain(`--from pre --from enter[a] --of ${second}`);
  desk.write('job.yaml', job(true));
  desk.write('orders.csv', rows('buy,open,40000.0'));
  expect((await desk.type(...command, ...inputs)).code).toBe(0);
  expect(await desk.prices()).toEqual(['40000.0', '41000.0', '42000.0']);
});

test('the rest is refused after another run did it beside this one, also when that run was set aside', async () => {
  const desk = deskWith({ 'job.yaml': halfLoop('name') });
  const first = await refused(desk);
  const words = ['run', 'job.yaml', ...inputs, '--from', 'enter[c]', '--of'];
  const next = async (of: string, code: number): Promise<string> => {
    const before = desk.runs();
    await desk.type('runs', 'set-aside', of, '--reason', 'wrong row');
    expect((await desk.type(...words, of)).code).toBe(code);
    return desk.runs().find((run) => !before.includes(run)) ?? '';
  };
  const second = await next(first, 1); // it sent nothing
  await desk.type('runs', 'set-aside', second, '--reason', 'still wrong');
  desk.write('orders.csv', rightRows.replace('d,buy,open', 'd,sell,close'));
  const third = await next(first, 1); // it placed one order
  await desk.type('runs', 'set-aside', third, '--reason', 'one more is wrong');
  const prices = ['40000.0', '41000.0', '42000.0'];
  desk.write('orders.csv', rightRows);
  for (const of of [first, second]) {
    const { code, stderr } = await desk.type(...words, of);
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining(`${third} already sent 1 order for the rest of ${of}`),
    ]);
    expect(await desk.prices()).toEqual(prices);
  }
  expect((await desk.type(...words.with(-2, 'enter[d]'), third)).code).toBe(0);
  expect(await desk.prices()).toEqual([...prices, '43000.0']);
});

test('an order of an item that is reused stays, and the plan says what differs from the playbook', async () => {
  const desk = deskWith({ 'job.yaml': halfLoop('name') });
  const run = await refused(desk);
  await desk.type('runs', 'set-aside', run, '--reason', 'wrong side');
  desk.write('orders.csv', rightRows.replace('41000.0,0.002', '41500.0,0.005'));
  const words = ['plan', 'job.yaml', ...inputs, '--from', 'enter[c]', '--of', run];
  const { stdout } = await desk.type(...words);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'BTCUSDT buy 0.002 @ 41000.0; sent with price 41000.0, now 41500.0 and size 0.002, now 0.005',
  );
});

test('a name that is no item, a row that is gone and a changed operation are refused with what to do', async () => {
  const desk = deskWith({ 'job.yaml': halfLoop('name') });
  const run = await refused(desk);
  await desk.type('runs', 'set-aside', run, '--reason', 'wrong side');
  const errorOf = async (from: string): Promise<string> => {
    const words = ['plan', 'job.yaml', ...inputs, '--from', from, '--of', run];
    const { code, stderr } = await desk.type(...words);
    return `${code} ${stderr.replaceAll(run, 'RUN')}`;
  };
  desk.write('orders.csv', rightRows.replaceAll('\nc,', '\nccc,'));
  expect(await errorOf('enter[ccd]')).toContain(
    'enter[ccd], which --from names, is not among the items of the step',
  );
  expect(await errorOf('enter[ccd]')).toContain("did you mean 'enter[ccc]'?");
  desk.write('orders.csv', rightRows.replaceAll('\na,', '\nx,'));
  expect(await errorOf('enter[c]')).toMatch(
    /enter\[a\], which RUN did, is not among the items of the step now[^]*--from enter/,
  );
  desk.write(
    'job.yaml',
    halfLoop('name')
      .replace('uses: futures/place-order', 'uses: ./inner.yaml')
      .replace(/with: \{ symbol: BTCUSDT, productType[^\n]*/, 'with: {}'),
  );
  desk.write(
    'inner.yaml',
    'playbook: 1\nname: inner\nsteps:\n  - { id: in, uses: market/list-tickers, with: { category: USDT-FUTURES } }\n',
  );
  expect(await errorOf('enter[c]')).toContain(
    'step enter used futures/place-order in RUN, so its items cannot be reused',
  );
  expect(await desk.prices()).toEqual(['40000.0', '41000.0']);
});

test('an item of a step that was renamed since is refused, because all of its items would be sent again', async () => {
  const desk = deskWith({ 'job.yaml': halfLoop('name') });
  const run = await refused(desk);
  await desk.type('runs', 'set-aside', run, '--reason', 'wrong side');
  desk.write('orders.csv', rightRows);
  desk.write('job.yaml', halfLoop('name').replaceAll('enter', 'entry'));
  const words = [...inputs, '--from', 'entry[c]', '--of', run];
  const { code, stderr } = await desk.type('run', 'job.yaml', ...words);
  expect([code, stderr.replaceAll(run, 'RUN')]).toEqual([
    5,
    expect.stringContaining(
      'step entry was not part of RUN, so its items cannot be reused; nothing was sent',
    ),
  ]);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    `name it as it was named there, or execute that step, too: --from entry, which sends 2 orders of ${run} again`,
  );
  const before = await desk.type('plan', 'job.yaml', ...inputs, '--from', 'enter[c]', '--of', run);
  expect([before.code, before.stderr]).toEqual([
    2,
    expect.stringMatching(/unknown step "enter\[c\]"\n +help +did you mean entry\?/),
  ]);
  desk.write('job.yaml', halfLoop('name').replaceAll('enter', 'purchases'));
  const far = await desk.type('plan', 'job.yaml', ...inputs, '--from', 'enter[c]', '--of', run);
  expect(far.stderr.replaceAll(/\s+/g, ' ')).toContain(
    'name one of purchases or market; a step that was renamed must be named as it was named in that run',
  );
  expect(await desk.prices()).toHaveLength(2);
});

test('a row that the exchange refused may be taken out, and one that is new is done alone', async () => {
  const desk = deskWith({ 'job.yaml': halfLoop('name') });
  const run = await refused(desk);
  await desk.type('runs', 'set-aside', run, '--reason', 'wrong side');
  const rows = rightRows.replace(/c,.*\n/, '');
  desk.write('orders.csv', rows);
  const words = ['job.yaml', ...inputs, '--from', 'enter[c]', '--of', run];
  expect((await desk.type('run', ...words)).code).toBe(0);
  const prices = ['40000.0', '41000.0', '43000.0'];
  expect(await desk.prices()).toEqual(prices);
  const second = desk.runs().find((name) => name !== run) ?? '';
  desk.write('orders.csv', `${rows}e,buy,open,44000.0,0.001\n`);
  const from = (name: string): readonly string[] => ['--from', name, '--of', second];
  const whole = await desk.type('run', 'job.yaml', ...inputs, ...from('market'));
  expect([whole.code, whole.stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    5,
    expect.stringContaining(
      `--from enter, which sends 3 orders of ${second} again; or only its new items: --from 'enter[KEY]'`,
    ),
  ]);
  expect((await desk.type('run', 'job.yaml', ...inputs, ...from('enter[e]'))).code).toBe(0);
  expect(await desk.prices()).toEqual([...prices, '44000.0']);
});

test.for(['known at once', 'known late'])(
  'a file of a reused item is not overwritten by another item, with a name that is %s',
  async (when) => {
    const name =
      when === 'known at once'
        ? '{{ each.index }}'
        : '{{ steps.noon.outputs.day }}{{ each.index }}';
    const noon = `
  - id: noon
    uses: shell/run
    with: { command: [echo, day] }
    outputs: { day: "{{ trim response.stdout }}" }`;
    const job = `playbook: 1
name: job
account: main
inputs:
  coins: { type: list, items: { type: string }, default: [BTCUSDT, ETHUSDT] }
steps:${when === 'known at once' ? '' : noon}
  - id: each
    for-each: "{{ inputs.coins }}"
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: "{{ each.value }}" }
    write: { file: "out/${name}.csv", columns: { coin: "{{ row.symbol }}" } }
`;
    const shell = 'profiles:\n  main: { target: sandbox, allow: { shell: [echo] } }\n';
    const desk = deskWith({ 'job.yaml': job, 'deskhand.yaml': shell });
    expect((await desk.type('run', 'job.yaml')).code).toBe(0);
    const [run = ''] = desk.runs();
    const late = when === 'known at once' ? [] : ['--from', 'noon'];
    const words = [...late, '--from', 'each[ETHUSDT]', '--from', 'each[SOLUSDT]', '--of', run];
    const coins = ['--var', 'coins=SOLUSDT,BTCUSDT,ETHUSDT'];
    const typed = await desk.type('run', 'job.yaml', ...coins, ...words);
    expect(typed.code).not.toBe(0);
    expect((typed.stdout + typed.stderr).replaceAll(/\s+/g, ' ')).toContain(
      `each[BTCUSDT], which is reused from ${run}, wrote the same file, out/${when === 'known at once' ? '' : 'day'}0.csv`,
    );
    expect(desk.read(`out/${when === 'known at once' ? '' : 'day'}0.csv`)).toContain('BTCUSDT');
  },
);

test('an item that uses a playbook and placed only some of its orders is not said to be reused', async () => {
  const outer = halfLoop('name')
    .replace('uses: futures/place-order', 'uses: ./inner.yaml')
    .replace(
      ofRow,
      '{ side: "{{ each.value.side }}", kind: "{{ each.value.kind }}", price: "{{ each.value.price }}" }',
    );
  const desk = deskWith({ 'job.yaml': outer, 'inner.yaml': twoOrders });
  desk.write('orders.csv', wrongRows.replace('90000.0', '42000.0'));
  const run = await refused(desk);
  expect(await desk.prices()).toEqual(['40000.0', '40000.0', '41000.0', '41000.0', '42000.0']);
  const stopped = await desk.type('runs', 'show', run);
  expect(stopped.stdout).not.toContain('set-aside'); // a new run would place the first order again
  const aside = await desk.type('runs', 'set-aside', run, '--reason', 'size');
  expect(aside.stdout).not.toContain('--from');
  desk.write('orders.csv', rightRows);
  const words = [...inputs, '--from', 'enter[c]', '--of', run];
  const plan = await desk.type('plan', 'job.yaml', ...words);
  expect(plan.stdout).toContain(`1 order of ${run} in what is executed again`);
  expect(plan.stdout).toContain('↺ a  ');
  expect((await desk.type('run', 'job.yaml', ...words)).code).toBe(0);
  const prices = await desk.prices();
  expect(prices.filter((price) => price === '42000.0')).toHaveLength(3);
  expect(prices).toHaveLength(4 + 3 + 2);
});

test('an item that was sent on one account and is for another one now is refused', async () => {
  const ofAccount = (text: string): string =>
    text
      .replace('name: { type: string }', 'name: { type: string }, on: { type: string }')
      .replace(
        'uses: futures/place-order',
        'account: "{{ each.value.on }}"\n    uses: futures/place-order',
      );
  const on = (text: string): string =>
    text.replaceAll(/^(\w+),/gm, (all, name) => `${all}${name === 'name' ? 'on' : 'main'},`);
  const desk = deskWith({ 'job.yaml': ofAccount(halfLoop('name')), 'orders.csv': on(wrongRows) });
  desk.write('deskhand.yaml', `${config}  other: { target: sandbox, as: oneway }\n`);
  const run = await refused(desk);
  await desk.type('runs', 'set-aside', run, '--reason', 'wrong side');
  desk.write('orders.csv', on(rightRows).replace('b,main', 'b,other'));
  const words = ['plan', 'job.yaml', ...inputs, '--from', 'enter[c]', '--of', run];
  const { code, stderr } = await desk.type(...words);
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining(
      `enter[b], which ${run} did, was sent on account main, and is for other now`,
    ),
  ]);
});
