/** A run that did not end as done: what it left blocks another run of its playbook, until a person decides. */
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deskhand, folderWith, type Ended, type Start } from './deskhand.ts';
import { files, openOrders } from './ladder.ts';
import { startSandbox, type Started } from './sandbox.ts';
import { killed, killedAtStart, loseAnswer, loseSecondAnswer, underWay } from './under-way.ts';

const order = (id: string, fields: string): string => `  - id: ${id}
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, ${fields} }
`;
const first = order(
  'first',
  'side: buy, tradeSide: open, orderType: limit, price: "40000", size: "0.01"',
);
const refused = order(
  'refused',
  'side: sell, tradeSide: close, orderType: limit, price: "90000", size: "500"',
);
const playbook = (...steps: readonly string[]): string =>
  `playbook: 1\nname: desk\naccount: main\nsteps:\n${steps.join('')}`;

const config = 'profiles:\n  main: { target: sandbox }\n  other: { target: sandbox, as: oneway }\n';

/** A folder in which a run of the playbook stopped after its first order. */
async function stoppedHalfway(text = playbook(first, refused)): Promise<{
  readonly cwd: string;
  readonly run: string;
}> {
  const cwd = folderWith({ 'deskhand.yaml': config, 'desk.yaml': text });
  const { stdout } = await deskhand(['run', 'desk.yaml', '-o', 'json'], { cwd });
  const { run, exit } = JSON.parse(stdout);
  expect(exit).toBe(1);
  return { cwd, run };
}

/** How often the exchange has the first order. */
async function placed(cwd: string): Promise<number> {
  return (await pricesIn(cwd)).filter((price) => price === 40_000).length;
}

/** The prices of the open orders. */
async function pricesIn(cwd: string): Promise<readonly number[]> {
  const words = ['call', 'order/list-open', 'category=USDT-FUTURES', '-p', 'main', '-o', 'json'];
  const { answer } = JSON.parse((await deskhand(words, { cwd })).stdout);
  const prices = answer.list.map(({ price }: { price: string }) => Number(price));
  return prices.filter((price: number) => price > 1_000); // others are of another symbol
}

function textIn({ stdout, stderr }: Ended): string {
  return `${stdout} ${stderr}`.replaceAll(/\s+/g, ' ');
}

/** The words of a command that a screen shows. */
function wordsOf(command: string): readonly string[] {
  return command.split(' ').slice(1);
}

const blocked = (run: string): object => ({
  code: 5,
  stderr: expect.stringMatching(
    new RegExp(`error\\[unfinished\\] blocked: run ${run} .*1 write sent; nothing was sent`),
  ),
});

describe('run, typed again after a run that stopped half-way', () => {
  test('places nothing, and names the ways on', async () => {
    const { cwd, run } = await stoppedHalfway();
    const again = await deskhand(['run', 'desk.yaml'], { cwd });
    expect(again).toMatchObject(blocked(run));
    for (const way of [
      `deskhand resume ${run}`,
      `deskhand runs set-aside ${run} --reason WHY`,
      'the same `run` with `--new --reason WHY`',
    ]) {
      expect(again.stderr.replaceAll(/\s+/g, ' ')).toContain(way);
    }
    expect(await placed(cwd)).toBe(1);
  });

  test('is shown by plan above its steps, in every format, with what would be placed twice', async () => {
    const { cwd, run } = await stoppedHalfway();
    const words = `this plan places 1 of them a second time`;
    const plan = (...flags: string[]): Promise<Ended> =>
      deskhand(['plan', 'desk.yaml', ...flags], { cwd });
    const { stdout } = await plan();
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain(words);
    expect(text.indexOf(run)).toBeLessThan(text.indexOf('first futures/place-order'));
    expect(text).toContain(`Next deskhand resume ${run}`);
    expect(text).toMatch(/deskhand run \.deskhand\/plans\/p-\w+\.json --new --reason WHY/);
    expect((await plan('-o', 'markdown')).stdout).toContain(words);
    expect(JSON.parse((await plan('-o', 'json')).stdout)).toMatchObject({
      unfinished: [{ run, sent: 1, inDoubt: 0, again: 1 }],
    });
  });

  test('is shown by plan, saved and in every format, with what a run that was set aside left', async () => {
    const { cwd, run } = await stoppedHalfway();
    await deskhand(['runs', 'set-aside', run, '--reason', 'too large'], { cwd });
    const note = new RegExp(
      `run ${run} was set aside by \\S+ with 1 write sent; this plan places 1 of them a second time; to do only the rest: \`deskhand runs show ${run}\``,
    );
    const plan = (...words: string[]): Promise<Ended> =>
      deskhand(['plan', 'desk.yaml', ...words], { cwd });
    expect(textIn(await plan('--out', 'plan.json'))).toMatch(note);
    expect((await plan('-o', 'markdown')).stdout).toContain(`run ${run} was set aside`);
    expect(JSON.parse((await plan('-o', 'json')).stdout).notes).toEqual([
      expect.stringMatching(note),
    ]);
    const { stdout } = await deskhand(['runs', 'show', run], { cwd });
    const [, command = ''] = /deskhand (run desk\.yaml .*--of \S+)/.exec(stdout) ?? [];
    const rest = await deskhand(['plan', ...command.split(' ').slice(1)], { cwd });
    expect([rest.code, textIn(rest)]).toEqual([0, expect.not.stringContaining('set aside')]);
    expect((await deskhand(['run', 'plan.json'], { cwd })).code).toBe(1);
    expect(textIn(await plan())).not.toContain('set aside'); // the later run is the one that counts
    writeFileSync(join(cwd, 'desk.yaml'), playbook(first));
    const beside = ['run', 'desk.yaml', '--new', '--reason', 'a smaller one'];
    expect((await deskhand(beside, { cwd })).code).toBe(0);
    expect(textIn(await plan())).not.toContain('set aside'); // also when it is done
  });

  test('places its orders once it was set aside, with the reason on record', async () => {
    const { cwd, run } = await stoppedHalfway();
    const unsaid = await deskhand(['runs', 'set-aside', run], { cwd });
    expect([unsaid.code, unsaid.stderr]).toEqual([2, expect.stringContaining('--reason')]);
    const words = ['runs', 'set-aside', run, '--reason', 'cancelled by hand'];
    expect(await deskhand(words, { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${run} is set aside`),
    });
    expect((await deskhand(words, { cwd })).code).toBe(2);
    const again = await deskhand(['run', 'desk.yaml'], { cwd });
    expect(again.code).toBe(1); // its second order is refused as before
    expect(await placed(cwd)).toBe(2);
    for (const shown of [
      await deskhand(['runs', 'show', run], { cwd }),
      await deskhand(['runs', 'list'], { cwd }),
    ]) {
      expect(shown.stdout.replaceAll(/\s+/g, ' ')).toMatch(/set aside by .*cancelled by hand/);
    }
  });

  test('is finished by a corrected playbook with the commands that are shown, and nothing is sent twice', async () => {
    const { cwd, run } = await stoppedHalfway();
    const aside = `deskhand runs set-aside ${run} --reason WHY`;
    expect(textIn(await deskhand(['runs', 'show', run], { cwd }))).toContain(aside);
    const choice = ['--from', 'refused', '--of', run];
    writeFileSync(
      join(cwd, 'desk.yaml'),
      playbook(first, first.replace('first', 'refused').replace('40000', '39900')),
    );
    const early = await deskhand(['plan', 'desk.yaml', ...choice], { cwd });
    expect([early.code, textIn(early)]).toEqual([5, expect.stringContaining(aside)]);
    const set = await deskhand(wordsOf(aside), { cwd });
    const rest = `deskhand run desk.yaml -p main ${choice.join(' ')}`;
    expect(textIn(set)).toContain(rest);
    expect((await deskhand(wordsOf(rest), { cwd })).code).toBe(0);
    expect(await placed(cwd)).toBe(1);
  });

  test('is finished so, too, if a field did not fit that only the run knew', async () => {
    const unfit = '{{ steps.open.response.list.0.symbol }}';
    const second = first.replace('first', 'second').replace('side: buy', `side: "${unfit}"`);
    const open = '  - { id: open, uses: order/list-open, with: { category: USDT-FUTURES } }\n';
    const { cwd, run } = await stoppedHalfway(playbook(first, open, second));
    const shown = textIn(await deskhand(['runs', 'show', run], { cwd }));
    expect(shown).toContain('--reason WHY if the playbook must change');
    const aside = ['runs', 'set-aside', run, '--reason', 'the side is wrong'];
    const [, command = ''] =
      / (run desk.yaml .*? --of \S+)/.exec(textIn(await deskhand(aside, { cwd }))) ?? [];
    const again = textIn(await deskhand(['runs', 'show', run], { cwd }));
    expect(again).toContain(`${command} when the playbook is corrected, a new run`);
    expect(await deskhand(command.split(' '), { cwd })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('side must be buy or sell'),
    });
    writeFileSync(join(cwd, 'desk.yaml'), playbook(first, open, first.replace('first', 'second')));
    expect((await deskhand(command.split(' '), { cwd })).code).toBe(0);
    expect(await placed(cwd)).toBe(2);
  });

  test('is run again from the item that is left in a step which placed an order', async () => {
    const both = `  - id: both
    for-each: [{ price: "40000", size: "0.01" }, { price: "40010", size: "500" }]
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy, tradeSide: open, orderType: limit, price: "{{ each.value.price }}", size: "{{ each.value.size }}" }
`;
    const read = '  - { id: spot, uses: market/list-tickers, with: { category: SPOT } }\n';
    const { cwd, run } = await stoppedHalfway(playbook(read, both));
    const stopped = textIn(await deskhand(['runs', 'show', run], { cwd }));
    expect(stopped).toContain('1 refused');
    const set = textIn(await deskhand(['runs', 'set-aside', run, '--reason', 'x'], { cwd }));
    expect(stopped).toContain(`deskhand runs set-aside ${run}`);
    const command = `deskhand run desk.yaml -p main --from 'both[1]' --of ${run}`;
    expect(set).toContain(command);
    writeFileSync(join(cwd, 'desk.yaml'), playbook(read, both.replace('"500"', '"0.02"')));
    const rest = await deskhand(wordsOf(command.replaceAll("'", '')), { cwd });
    expect([rest.code, rest.stderr]).toEqual([0, expect.any(String)]);
    expect(await placed(cwd)).toBe(1);
  });

  test('a run that was set aside is not continued', async () => {
    const { cwd, run } = await stoppedHalfway();
    await deskhand(['runs', 'set-aside', run, '--reason', 'cancelled by hand'], { cwd });
    const resumed = await deskhand(['resume', run], { cwd });
    expect([resumed.code, resumed.stderr]).toEqual([
      5,
      expect.stringMatching(
        /was set aside by .*: cancelled by hand: it is not continued; nothing more was sent\n(?!.*deskhand resume)/s,
      ),
    ]);
  });

  test('--new runs beside it, needs a reason, and the earlier run cannot continue', async () => {
    const { cwd, run } = await stoppedHalfway();
    expect((await deskhand(['run', 'desk.yaml', '--new'], { cwd })).code).toBe(2);
    expect((await deskhand(['run', 'desk.yaml', '--reason', 'x'], { cwd })).code).toBe(2);
    const words = ['run', 'desk.yaml', '--new', '--reason', 'a second ladder'];
    const beside = await deskhand(words, { cwd });
    expect([beside.code, beside.stderr]).toEqual([1, expect.stringContaining(run)]);
    expect(await placed(cwd)).toBe(2);
    expect((await deskhand(['resume', run], { cwd })).code).toBe(5);
    expect(await placed(cwd)).toBe(2);
    const journal = readFileSync(join(cwd, '.deskhand', 'runs', run, 'journal.ndjson'), 'utf8');
    expect(journal).toContain('a second ladder');
  });

  test('a saved plan is blocked, too', async () => {
    const text = playbook(first, refused);
    const cwd = folderWith({ 'deskhand.yaml': config, 'desk.yaml': text });
    const { run } = JSON.parse(
      (await deskhand(['run', 'desk.yaml', '-o', 'json'], { cwd })).stdout,
    );
    await deskhand(['plan', 'desk.yaml', '--out', 'plan.json'], { cwd });
    expect(await deskhand(['run', 'plan.json'], { cwd })).toMatchObject(blocked(run));
    expect(await placed(cwd)).toBe(1);
  });
});

describe('once per playbook, with a price that was read', () => {
  const priced = (factor: string): string => `  - id: quote
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
  - id: first
    uses: futures/place-order
    once-per: playbook
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy, tradeSide: open, orderType: limit, price: "{{ floorTo (mul steps.quote.response.0.lastPrice ${factor}) 0.1 }}", size: "0.01" }
`;

  test('places nothing at another price, and is shown by plan', async () => {
    const { cwd, run } = await stoppedHalfway(playbook(priced('0.6'), refused));
    writeFileSync(join(cwd, 'desk.yaml'), playbook(priced('0.59'), refused));
    const plan = await deskhand(['plan', 'desk.yaml'], { cwd });
    expect(plan.stdout).toContain(run);
    expect(await deskhand(['run', 'desk.yaml'], { cwd })).toMatchObject(blocked(run));
    const why = ['--new', '--reason', 'the first order stays'];
    expect((await deskhand(['run', 'desk.yaml', ...why], { cwd })).code).toBe(1);
  });

  test('is not blocked at the same price', async () => {
    const { cwd } = await stoppedHalfway(playbook(priced('0.6'), refused));
    expect((await deskhand(['run', 'desk.yaml'], { cwd })).code).toBe(1);
  });
});

describe('a run that did not end as done blocks nothing', () => {
  test('if it sent nothing', async () => {
    const { cwd } = await stoppedHalfway(playbook(refused));
    expect((await deskhand(['run', 'desk.yaml'], { cwd })).code).toBe(1);
  });

  test('if its orders are placed once per playbook, and none is in doubt', async () => {
    const once = first.replace('place-order\n', 'place-order\n    once-per: playbook\n');
    const { cwd } = await stoppedHalfway(playbook(once, refused));
    expect((await deskhand(['run', 'desk.yaml'], { cwd })).code).toBe(1);
    expect(await placed(cwd)).toBe(1);
  });

  test('if only a read failed that its playbook allows to fail', async () => {
    const coin = `  - id: rate
    uses: margin/get-interest-rate
    on-error: continue
    with: { coin: NOSUCHCOIN }
`;
    const wait = '  - id: pause\n    uses: wait\n    with: { for: 1ms }\n';
    const { cwd } = await stoppedHalfway(playbook(first, wait, coin));
    expect((await deskhand(['run', 'desk.yaml'], { cwd })).code).toBe(1);
    expect(await placed(cwd)).toBe(2);
  });

  test('on another account, or under another name', async () => {
    const { cwd } = await stoppedHalfway();
    const other = await deskhand(['run', 'desk.yaml', '-p', 'other'], { cwd });
    expect(other.stderr).not.toContain('unfinished');
    const text = readFileSync(join(cwd, 'desk.yaml'), 'utf8');
    writeFileSync(join(cwd, 'second.yaml'), text.replace('name: desk', 'name: second'));
    expect((await deskhand(['run', 'second.yaml'], { cwd })).code).toBe(1);
    expect(await placed(cwd)).toBe(2);
  });
});

describe('a saved plan, typed again', () => {
  test('names its run while that is executed, and what it sent and has in doubt once it is lost', async () => {
    const exchange = await startSandbox();
    const env = exchange.env('hedge');
    const second = first.replace('id: first', 'id: second').replace('40000', '39000');
    const cwd = folderWith({ 'desk.yaml': playbook(first, second).replace('account: main\n', '') });
    await deskhand(['plan', 'desk.yaml', '--out', 'plan.json'], { cwd, env });
    await loseAnswer(exchange, { operation: 'futures/place-order', nth: 2 });
    const begun = await underWay(exchange, { cwd, env }, 'plan.json');
    const beside = await deskhand(['run', 'plan.json'], { cwd, env });
    expect([beside.code, beside.stderr]).toEqual([
      5,
      expect.stringMatching(/is executing it.*\n +help +follow it: `deskhand runs logs -f r-/),
    ]);
    await killed(begun);
    const again = await deskhand(['run', 'plan.json'], { cwd, env });
    expect([again.code, again.stderr]).toEqual([
      6,
      expect.stringMatching(
        /was already started as r-\w+, .*; 1 write sent; in doubt: second \(.*\)\n +help +continue it: `deskhand resume r-\w+`\n$/,
      ),
    ]);
    expect(again.stderr).not.toContain('nothing was sent');
    expect(await openOrders(cwd, env)).toHaveLength(2);
    const last = await deskhand(['resume', 'last'], { cwd, env });
    expect([last.code, last.stderr]).toEqual([2, expect.stringContaining('only read')]);
  });
});

describe('resume', () => {
  test('is refused after another run of the playbook did what the rest would do', async () => {
    const text = playbook(
      refused.replace('id: refused', 'id: gate\n    if: "{{ inputs.gate }}"'),
      first,
    );
    const inputs = 'inputs: { gate: { type: boolean, default: true } }\nsteps:';
    const cwd = folderWith({
      'deskhand.yaml': config,
      'desk.yaml': text.replace('steps:', inputs),
    });
    const { run } = JSON.parse(
      (await deskhand(['run', 'desk.yaml', '-o', 'json'], { cwd })).stdout,
    );
    const done = await deskhand(['run', 'desk.yaml', '--var', 'gate=false'], { cwd });
    expect([done.code, await placed(cwd)]).toEqual([0, 1]);
    const resumed = await deskhand(['resume', run], { cwd });
    expect([resumed.code, resumed.stderr]).toEqual([
      5,
      expect.stringMatching(/could do them a second time; nothing (more )?was sent\n/),
    ]);
    expect(await placed(cwd)).toBe(1);
    const shown = await deskhand(['runs', 'show', run], { cwd });
    expect(shown.stdout).toContain(`deskhand runs set-aside ${run} --reason WHY`);
    expect(shown.stdout).not.toContain('deskhand resume');
    const folder = join(cwd, '.deskhand/runs');
    const later = readdirSync(folder).find((name) => name !== run) ?? '';
    writeFileSync(join(folder, later, 'header.json'), 'damaged');
    expect((await deskhand(['runs', 'show', run], { cwd })).code).toBe(0);
  });

  /** A playbook of one order, of which two runs were killed before they sent anything. */
  async function twiceKilled(text: string, ...vars: readonly string[]) {
    const cwd = folderWith({ 'deskhand.yaml': config, 'desk.yaml': text });
    const env = {};
    const runs: string[] = [];
    for (const value of vars) {
      const words = ['run', 'desk.yaml', '--var', `price=${value}`];
      const [, run = ''] = /"run":"(r-[^"]+)"/.exec(await killedAtStart(words, { cwd, env })) ?? [];
      runs.push(run);
    }
    return { at: (words: readonly string[]) => deskhand(words, { cwd }), cwd, runs };
  }

  const given = (fields = ''): string =>
    playbook(
      first.replace('"40000"', '"{{ inputs.price }}"').replace('    with:', `${fields}    with:`),
    ).replace('steps:', 'inputs: { price: { type: decimal } }\nsteps:');

  test('is refused after an older run, which was resumed, sent what the rest would send', async () => {
    const { at, cwd, runs } = await twiceKilled(given(), '40000', '40000');
    const [older = '', newer = ''] = runs;
    expect((await at(['resume', older])).code).toBe(0);
    const resumed = await at(['resume', newer]);
    expect([resumed.code, resumed.stderr]).toEqual([
      5,
      expect.stringContaining(`run ${older} of the same playbook sent its writes after ${newer}`),
    ]);
    expect(await placed(cwd)).toBe(1);
    expect((await at(['runs', 'show', newer])).stdout).toContain(`set-aside ${newer}`);
    expect((await at(['run', 'desk.yaml', '--var', 'price=40000'])).code).toBe(0); // another day
  });

  test('is refused if the later order is done once per playbook at another price, and not at the same', async () => {
    const lasting = given('    once-per: playbook\n');
    const { at, cwd, runs } = await twiceKilled(lasting, '39000', '40000');
    const [other = '', same = ''] = runs;
    expect((await at(['run', 'desk.yaml', '--var', 'price=40000.0'])).code).toBe(0);
    expect((await at(['resume', other])).code).toBe(5);
    expect((await at(['resume', same])).code).toBe(0); // it finds the order
    expect(await pricesIn(cwd)).toEqual([40_000]);
  });

  test('is refused so, too, if the killed run only set a state without a response', async () => {
    const exchange = await startSandbox();
    const env = exchange.env('hedge');
    const set =
      '  - { id: lever, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 5 } }\n';
    const text = playbook(set, first).replace('account: main\n', '');
    const cwd = folderWith({ 'desk.yaml': text });
    await loseAnswer(exchange, { operation: 'futures/set-all-leverage', nth: 1 });
    const begun = await underWay(exchange, { cwd, env }, 'desk.yaml');
    await killed(begun);
    expect((await deskhand(['run', 'desk.yaml'], { cwd, env })).code).toBe(0);
    const resumed = await deskhand(['resume', begun.run], { cwd, env });
    expect([resumed.code, resumed.stderr]).toEqual([
      6,
      expect.stringMatching(/could do them a second time; in doubt: lever .*--reason WHY`\n$/s),
    ]);
    expect(await openOrders(cwd, env)).toHaveLength(1);
    const setAside = ['runs', 'set-aside', begun.run, '--reason', 'done by the later run'];
    expect((await deskhand(setAside, { cwd, env })).code).toBe(0);
  });
});

/** A run that was killed while its second order of three waited for a response. */
async function killedInDoubt(): Promise<{
  readonly run: string;
  readonly exchange: Started;
  readonly at: (words: readonly string[], env?: Start['env']) => Promise<Ended>;
  readonly orders: () => Promise<number>;
  readonly write: (file: string, text: string) => void;
}> {
  const exchange = await startSandbox();
  const text = files['ladder.yaml'].replace('    once-per: playbook\n', '');
  const cwd = folderWith({ 'ladder.yaml': text });
  const env = exchange.env('hedge');
  await loseSecondAnswer(exchange);
  const begun = await underWay(exchange, { cwd, env });
  await killed(begun);
  return {
    run: begun.run,
    exchange,
    at: (words, other = env) => deskhand(words, { cwd, env: other }),
    orders: async () => (await openOrders(cwd, env)).length,
    write: (file, content) => writeFileSync(join(cwd, file), content),
  };
}

const second = 'orders[39500.0] (BTCUSDT open long 0.010 @ 39,500.0, post_only, crossed)';

describe('a run that was killed with an order in doubt', () => {
  test('is shown by plan after it was set aside, with the doubt, and after that was abandoned', async () => {
    const { run, at } = await killedInDoubt();
    await at(['runs', 'set-aside', run, '--reason', 'looked up by hand']);
    const shown = async (): Promise<string> => textIn(await at(['plan', 'ladder.yaml']));
    expect(await shown()).toContain(
      'with 1 write sent, 1 in doubt; this plan places 2 of them a second time',
    );
    const words = ['resolve', run, 'orders[39500.0]', '--abandon', '--comment', 'support looks'];
    expect((await at(words)).code).toBe(0);
    expect(await shown()).toContain('with 2 writes sent; this plan places 2 of them a second time');
  });

  test('blocks the next one, which names the doubt, and resume places the rest once', async () => {
    const { run, at, orders } = await killedInDoubt();
    const before = await orders();
    const again = await at(['run', 'ladder.yaml']);
    expect([again.code, again.stderr]).toEqual([
      5,
      expect.stringContaining('did not end: 1 write sent, 1 in doubt; nothing was sent'),
    ]);
    expect(await orders()).toBe(before);
    const plan = await at(['plan', 'ladder.yaml']);
    expect(plan.stdout).toContain('in doubt: orders[39500.0]');
    const listed = await at(['runs', 'list']);
    expect(listed.stdout + listed.stderr).toMatch(/has ended; its \d+ locks? blocks? nothing/);
    expect((await at(['resume', run])).code).toBe(0);
    expect(await orders()).toBe(before + 1);
    expect((await at(['run', 'ladder.yaml'])).code).toBe(0); // a new run, as it was typed
    expect(await orders()).toBe(before + 4);
  });

  test('a resume that cannot begin names the doubt, whatever fails, in text and in JSON', async () => {
    const { run, exchange, at } = await killedInDoubt();
    const env = exchange.env('hedge');
    const { DESKHAND_API_KEY: _key, ...keyless } = env;
    const cases: readonly (readonly [string, Start['env']])[] = [
      ['no key', keyless],
      ['another passphrase', { ...env, DESKHAND_API_PASSPHRASE: 'wrong' }],
      ['no exchange', { ...env, DESKHAND_BASE_URL: 'http://127.0.0.1:9' }],
    ];
    for (const [what, other] of cases) {
      const refused = await at(['resume', run, '-o', 'json'], other);
      expect([what, refused.code, JSON.parse(refused.stdout)]).toMatchObject([
        what,
        6,
        { exit: 6, error: { message: expect.stringContaining(`in doubt: ${second}`) } },
      ]);
      expect(refused.stderr).not.toContain('nothing was sent');
      expect(refused.stderr).toContain(`then \`deskhand resume ${run}\``);
    }
  });
});

describe('a doubt of another playbook on the account and symbol', () => {
  const other = (guards: string): string =>
    `playbook: 1\nname: other\naccount: main\n${guards}steps:\n${first}`;

  test('is shown by plan and run, and blocks where a guard says so', async () => {
    const { run, at, orders, write } = await killedInDoubt();
    const before = await orders();
    write('other.yaml', other('guards: { doubts: block }\n'));
    const words = `in doubt: orders[39500.0] of run ${run} (playbook ladder) on`;
    const plan = await at(['plan', 'other.yaml']);
    expect([plan.code, plan.stdout.replaceAll(/\s+/g, ' ')]).toEqual([
      0,
      expect.stringContaining(words),
    ]);
    expect((await at(['plan', 'other.yaml', '-o', 'markdown'])).stdout).toContain(run);
    expect(JSON.parse((await at(['plan', 'other.yaml', '-o', 'json'])).stdout)).toMatchObject({
      doubts: { isBlocking: true, writes: [{ run, address: 'orders[39500.0]' }] },
    });
    const blocked = await at(['run', 'other.yaml']);
    expect([blocked.code, blocked.stderr]).toEqual([
      5,
      expect.stringContaining('blocked by the guard doubts: orders[39500.0]'),
    ]);
    expect(await orders()).toBe(before);

    write('other.yaml', other(''));
    const shown = await at(['run', 'other.yaml']);
    expect([shown.code, shown.stderr.replaceAll(/\s+/g, ' ')]).toEqual([
      0,
      expect.stringContaining(words),
    ]);
    expect(await orders()).toBe(before + 1);
  });

  test('of another symbol is not shown, and a settled one blocks nothing', async () => {
    const { run, at, write } = await killedInDoubt();
    const eth = first.replace('BTCUSDT', 'ETHUSDT').replace('"40000"', '"2000"');
    const guarded = 'playbook: 1\nname: other\naccount: main\nguards: { doubts: block }\nsteps:\n';
    write('other.yaml', guarded + eth);
    expect((await at(['run', 'other.yaml'])).code).toBe(0);
    write('second.yaml', guarded.replace('other', 'second') + first);
    expect((await at(['run', 'second.yaml'])).code).toBe(5);
    expect((await at(['resume', run])).code).toBe(0);
    expect((await at(['run', 'second.yaml'])).code).toBe(0);
  });
});

test('a second Ctrl-C names the run, what is in doubt, and the next command', async () => {
  const exchange = await startSandbox();
  const cwd = folderWith({ 'ladder.yaml': files['ladder.yaml'] });
  await loseSecondAnswer(exchange);
  const { child, run } = await underWay(exchange, { cwd, env: exchange.env('hedge') });
  let said = '';
  child.stderr.on('data', (part) => (said += String(part)));
  child.kill('SIGINT');
  while (!said.includes('press again')) await once(child.stderr, 'data');
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect([code, said]).toEqual([130, expect.stringContaining(`run ${run}: in doubt: ${second}`)]);
  expect(said).toContain(`continue it: \`deskhand resume ${run}\``);
});
