/** An exchange that says every signature back, in rows, message and header of answers that succeed. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand, folderWith } from '../cli/deskhand.ts';
import { startSandbox } from '../cli/sandbox.ts';
import { limitOrder } from '../support/order.ts';
import { writtenUnder } from './marks.ts';
import { wireTo, type Manner } from './wire.ts';

const playbook = `playbook: 1
name: echoed
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' })}
  - id: open
    needs: [bid]
    uses: order/list-open
    with: { category: USDT-FUTURES }
    write: { file: out/open.csv, columns: { mode: "{{ default row.stpMode '-' }}", coin: "{{ row.symbol }}" } }
  - id: page
    needs: [open]
    uses: report/page
    with: { file: out/page.html }
`;

const order =
  'symbol=BTCUSDT productType=USDT-FUTURES marginMode=crossed marginCoin=USDT side=buy tradeSide=open orderType=limit price=20001 size=0.001'.split(
    ' ',
  );

/** As base64 is written in JSON by other programs: with signs escaped. */
const escaped = (signature: string): string =>
  signature.replaceAll('/', String.raw`\/`).replaceAll('+', String.raw`\u002b`);

/**
 * The answer of the exchange, with the signature in a header and in two fields of every row. The rest
 * of a row stays true: an order whose response is lost is found in it.
 */
const echo: Manner['respond'] = (headers, answer) => {
  const signature = String(headers['access-sign']);
  const body = answer.body
    .replaceAll(/"stpMode":"[^"]*"/g, `"stpMode":"x${escaped(signature)}"`)
    .replaceAll('"symbol":"BTCUSDT"', `"symbol":"BTCUSDT","seen":"${signature}"`);
  return { ...answer, headers: { ...answer.headers, 'x-seen': signature }, body };
};

const refusal: Manner['respond'] = (headers) => ({
  status: 400,
  headers: { 'content-type': `text/${String(headers['access-sign'])}` },
  body: JSON.stringify({
    code: '40009',
    msg: `sign ${String(headers['access-sign'])} is wrong`,
    requestTime: Date.now(),
    data: { seen: headers['access-sign'] },
  }),
});

test('no signature is printed, exported or recorded', async () => {
  const exchange = await startSandbox();
  const wire = await wireTo(exchange.baseUrl);
  const cwd = folderWith({ 'echoed.yaml': playbook });
  const env = { ...exchange.env('hedge'), DESKHAND_BASE_URL: wire.baseUrl };
  const printed: string[] = [];
  const at = async (...words: string[]): Promise<number | null> => {
    const { code, stdout, stderr } = await deskhand(words, { cwd, env });
    printed.push(stdout, stderr);
    return code;
  };
  wire.behave({ path: '/unfilled-orders', respond: echo });
  expect(await at('run', 'echoed.yaml', '--report', 'report', '-v')).toBe(0);
  expect(await at('call', 'order/list-open', 'category=USDT-FUTURES', '-o', 'json')).toBe(0);
  wire.behave({ path: '/place-order', respond: refusal });
  expect(await at('call', 'futures/place-order', ...order, '--log-level', 'debug')).not.toBe(0);
  await at('runs', 'show', 'last', '--requests');
  await wire.close();

  const written = writtenUnder(cwd);
  expect(written.get(join(cwd, 'out', 'open.csv'))).toMatch(/^x\S+,BTCUSDT$/m);
  expect(wire.signatures.length).toBeGreaterThan(5);
  const all = [...written, ...printed.map((text, index) => [`printed ${index}`, text] as const)];
  for (const signature of new Set(wire.signatures)) {
    const part = signature.slice(0, 12);
    const found = all.filter(([, text]) => text.includes(part)).map(([where]) => where);
    expect(found).toEqual([]);
  }
});
