/** A literal secret where it would be recorded: refused before anything is sent or saved. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';
import { startSandbox } from './sandbox.ts';

const order = (clientOid: string): string => `playbook: 1
name: once
inputs: { name: { type: string, default: plain } }
steps:
  - id: one
    uses: futures/place-order
    with:
      { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, size: "0.001",
        side: buy, tradeSide: open, orderType: limit, price: "40000", clientOid: "${clientOid}" }
`;

/** All files in a folder except the given ones. */
function written(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}

test('a passphrase as clientOid, in the playbook, an input or a call, is never sent', async () => {
  const sandbox = await startSandbox();
  const env = sandbox.env('hedge');
  const passphrase = env['DESKHAND_API_PASSPHRASE'] ?? '';
  const cwd = folderWith({
    'typed.yaml': order(passphrase),
    'given.yaml': order('{{ inputs.name }}'),
  });
  const by = ['symbol=BTCUSDT', 'productType=USDT-FUTURES', 'marginMode=crossed'];
  const hand = [...by, 'marginCoin=USDT', 'size=0.001', 'side=buy', 'orderType=market'];
  for (const [words, code] of [
    [['run', 'typed.yaml'], 3],
    [['plan', 'typed.yaml', '--out', 'plan.json'], 3],
    [['run', 'given.yaml', '--var', `name=${passphrase}`], 3],
    [['plan', 'given.yaml', '--var', `name=${passphrase}`], 3],
    [['call', 'futures/place-order', ...hand, 'tradeSide=open', `clientOid=${passphrase}`], 2],
  ] as const) {
    const ended = await deskhand(words, { cwd, env });
    expect([words.slice(0, 2).join(' '), ended.code]).toEqual([words.slice(0, 2).join(' '), code]);
    expect(ended.stderr).toContain('contains a secret of this profile');
    expect(ended.stdout + ended.stderr).not.toContain(passphrase);
  }
  expect(written(join(cwd, '.deskhand'))).not.toContain(passphrase);
  expect(existsSync(join(cwd, 'plan.json'))).toBe(false);
  const orders = await deskhand(['call', 'order/list-open', '-o', 'json'], { cwd, env });
  expect(orders.stdout).not.toContain('0.001');
});

test('a secret that YAML escapes, as a default or in a step, is never saved', async () => {
  const sandbox = await startSandbox();
  const secret = "it's/a-secret-of-a-test";
  const env = { ...sandbox.env('hedge'), DESKHAND_SECRET_NOTE: secret };
  const reading = (initial: string, message: string): string => `playbook: 1
name: reading
inputs: { note: { type: string, default: ${initial} } }
steps:
  - id: open
    uses: order/list-open
    with: { category: USDT-FUTURES }
    expect: [{ that: "{{ ne inputs.note '' }}", message: ${message} }]
`;
  const cwd = folderWith({
    'double.yaml': reading('"it\'s\\/a-secret-of-a-test"', 'plain'),
    'single.yaml': reading("'it''s/a-secret-of-a-test'", 'plain'),
    'step.yaml': reading('plain', "'it''s/a-secret-of-a-test'"),
  });
  for (const file of ['double.yaml', 'single.yaml', 'step.yaml']) {
    const ended = await deskhand(['plan', file, '--out', 'plan.json'], { cwd, env });
    expect([file, ended.code]).toEqual([file, 3]);
    expect(ended.stderr).toContain('contains a secret of this profile');
  }
  expect(existsSync(join(cwd, 'plan.json'))).toBe(false);
  expect(written(join(cwd, '.deskhand'))).not.toContain('a-secret-of-a-test');
});
