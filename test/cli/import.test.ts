/** External orders are added to the ledger, based on the exchange or a signed statement. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { git, gitEnv, hub } from '../stores/machines.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { ladder, openOrders } from './ladder.ts';
import { startSandbox } from './sandbox.ts';

const subs = `playbook: 1
name: subs
steps:
  - id: sub
    uses: account/create-sub
    once-per: playbook
    with: { username: alpha }
`;

interface Place {
  readonly cwd: string;
  readonly at: (...words: string[]) => Promise<Ended>;
}

function place(): Place {
  const cwd = folderWith({ 'ladder.yaml': ladder, 'subs.yaml': subs });
  return { cwd, at: (...words) => deskhand(words, { cwd }) };
}

/** An order of one rung, placed manually. */
async function byHand({ at }: Place, price: string, size = '0.010'): Promise<string> {
  const input = `symbol=BTCUSDT productType=USDT-FUTURES marginMode=crossed marginCoin=USDT side=buy
    tradeSide=open orderType=limit force=post_only price=${price} size=${size} clientOid=hand-${price}`;
  const words = ['call', 'futures/place-order', ...input.split(/\s+/), '-o', 'json'];
  const { stdout } = await at(...words);
  return JSON.parse(stdout).answer.orderId;
}

describe('an order placed by hand', () => {
  test('is imported as the exchange shows it, and never placed again', async () => {
    const here = place();
    const orderId = await byHand(here, '40000.0');
    const words = [
      'import',
      'ladder.yaml',
      'orders[40000.0]',
      '--id',
      orderId,
      '--comment',
      'mine',
    ];
    const { code, stdout } = await here.at(...words, '-o', 'json');
    const output = { orderId, clientOid: 'hand-40000.0' };
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { output, evidence: 'looked-up' }]);
    const { run } = JSON.parse(stdout);
    const again = await here.at(...words);
    expect([again.code, again.stderr]).toEqual([
      2,
      expect.stringContaining(`is already done: order ${orderId}, by run ${run}`),
    ]);
    const drift = await here.at('drift', 'ladder.yaml');
    expect([drift.code, drift.stdout]).toEqual([0, expect.stringContaining('1 as recorded')]);
    expect((await here.at('run', 'ladder.yaml')).code).toBe(0);
    const prices = (await openOrders(here.cwd)).map(({ price }) => price);
    expect(prices.toSorted()).toEqual(['39000.0', '39500.0', '40000.0']);
    expect((await here.at('runs', 'verify', run)).code).toBe(0);
    const journal = join(here.cwd, '.deskhand', 'runs', run, 'journal.ndjson');
    expect(readFileSync(journal, 'utf8')).toContain('"comment":"mine"');
    expect((await here.at('runs', 'show', run)).stdout).toContain('1 of 1 order');
    expect((await here.at('runs', 'replay', run)).code).toBe(2);
    expect((await here.at('resume', run)).code).toBe(0);
    expect((await here.at('drift', 'ladder.yaml')).code).toBe(0);
  });

  test('is refused if its size differs, it was canceled, or it is already known', async () => {
    const here = place();
    const orderId = await byHand(here, '40000.0', '0.020');
    const words = ['import', 'ladder.yaml', 'orders[40000.0]', '--id'];
    const other = await here.at(...words, orderId);
    expect([other.code, other.stderr]).toEqual([
      5,
      expect.stringContaining(`order ${orderId} is not what orders[40000.0] places: its size is`),
    ]);
    const stated = ['--statement', 'I saw it'];
    expect((await here.at(...words, orderId, ...stated)).code).toBe(5);
    const nowhere = await here.at(...words, '1234567890');
    expect([nowhere.code, nowhere.stderr]).toEqual([5, expect.stringContaining('no list shows')]);
    const wrong = await here.at('import', 'ladder.yaml', 'orders[40000.1]', '--id', orderId);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('did you mean orders[40000.0]?'),
    ]);
    const fine = await byHand(here, '39500.0');
    expect((await here.at('import', 'ladder.yaml', 'orders[39500.0]', '--id', fine)).code).toBe(0);
    const elsewhere = ladder.replace('name: ladder', 'name: elsewhere');
    writeFileSync(join(here.cwd, 'other.yaml'), elsewhere);
    const twice = await here.at('import', 'other.yaml', 'orders[39500.0]', '--id', fine);
    expect([twice.code, twice.stderr]).toEqual([
      5,
      expect.stringMatching(/run r-\S+ already has it/),
    ]);
  });
});

test('a sub-account is imported with a signed statement that anyone can verify', async () => {
  const here = place();
  const key = keyOf('import-ann');
  const created = await here.at('call', 'account/create-sub', 'username=alpha', '-o', 'json');
  const { subUid } = JSON.parse(created.stdout).answer;
  const words = ['import', 'subs.yaml', 'sub', '--id', subUid];
  const bare = await here.at(...words);
  expect([bare.code, bare.stderr]).toEqual([5, expect.stringContaining('--statement')]);
  const said = await here.at(
    ...words,
    '--statement',
    'made on the page',
    '--key',
    key,
    '-o',
    'json',
  );
  expect([said.code, said.stderr]).toEqual([
    0,
    expect.stringContaining('only your statement supports this'),
  ]);
  const { run } = JSON.parse(said.stdout);
  const planned = JSON.parse((await here.at('plan', 'subs.yaml', '-o', 'json')).stdout);
  expect(planned.totals).toMatchObject({ create: 0, unchanged: 1 });

  const journal = readFileSync(join(here.cwd, '.deskhand', 'runs', run, 'journal.ndjson'), 'utf8');
  const line = journal.split('\n').find((text) => text.includes('"statement"')) ?? '';
  const start = line.indexOf('{');
  const { outcome } = JSON.parse(line.slice(start, line.lastIndexOf('}') + 1));
  const { body, signature } = outcome.person.statement;
  expect(JSON.parse(body)).toMatchObject({
    statement: 'made on the page',
    address: 'sub',
    id: subUid,
  });
  const file = join(here.cwd, 'statement.sig');
  writeFileSync(file, signature);
  const check = ['-Y', 'check-novalidate', '-n', 'statement@deskhand', '-s', file];
  expect(execFileSync('ssh-keygen', check, { input: body }).toString()).toContain('Good');
});

test('a statement counts if its key belongs to a signer, on every clone with the shared state', async () => {
  const exchange = await startSandbox();
  const bare = hub();
  const { DESKHAND_BASE_URL: _own, ...keys } = exchange.env('leader'); // the profile has it
  const env = { ...keys, ...gitEnv };
  const [ann, ben] = [keyOf('import-signer'), keyOf('import-ben')];
  const clone = (): string => {
    const folder = join(folderWith(), 'clone');
    git(bare, ['clone', '--quiet', bare, folder]);
    const profile = `base-url: "${exchange.baseUrl}", approve: { signers: ./allowed_signers }`;
    const config = `profile: main\nprofiles: { main: { ${profile} } }\nstate: { store: git }\n`;
    writeFileSync(join(folder, 'deskhand.yaml'), config);
    writeFileSync(join(folder, 'allowed_signers'), `ben@desk.example ${publicOf(ben)}\n`);
    writeFileSync(join(folder, 'subs.yaml'), subs);
    return folder;
  };
  const [a, b] = [clone(), clone()];
  const words = ['import', 'subs.yaml', 'sub', '--id', '7000000099', '--statement', 'seen'];
  const stranger = await deskhand([...words, '--key', ann], { cwd: a, env });
  expect([stranger.code, stranger.stderr]).toEqual([5, expect.stringContaining('is not in ')]);
  const said = await deskhand([...words, '--key', ben, '-o', 'json'], { cwd: a, env });
  expect([said.code, JSON.parse(said.stdout).person.who]).toEqual([0, 'ben@desk.example']);
  const planned = await deskhand(['plan', 'subs.yaml', '-o', 'json'], { cwd: b, env });
  expect(JSON.parse(planned.stdout).totals).toMatchObject({ create: 0, unchanged: 1 });
});
