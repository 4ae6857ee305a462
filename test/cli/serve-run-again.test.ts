/** A run that is done again from the page: its plan shows what differs from it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AnswerOf, Routes } from '../../src/serve/server/routes/index.ts';
import { served } from '../serve/server/desk.ts';
import { deskhand, folderWith } from './deskhand.ts';

const playbook = `playbook: 1
name: bids
inputs:
  size: { type: decimal, default: "0.001" }
  prices: { type: list, items: { type: decimal }, default: ["40000", "39900"] }
steps:
  - id: bids
    for-each: "{{ inputs.prices }}"
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy, tradeSide: open, orderType: limit, price: "{{ each.value }}", size: "{{ inputs.size }}" }
`;

type Related = AnswerOf<Routes['GET /runs/{run}/related']>;
type Since = AnswerOf<Routes['GET /runs/{run}/plan-since']>;
type Made = AnswerOf<Routes['POST /plans']>;

test('with its inputs nothing differs; with others, each order and input that does', async () => {
  const cwd = folderWith({ 'playbooks/bids.yaml': playbook });
  const words = ['run', 'playbooks/bids.yaml', '--var', 'size=0.002', '-o', 'json'];
  const { stdout } = await deskhand(words, { cwd });
  const { run } = JSON.parse(stdout) as { run: string };
  const server = await served({ folder: cwd });
  await server.poll();
  const read = async <A>(path: string): Promise<A> => {
    const response = await server.get(path);
    const answer: unknown = await response.json();
    expect([response.status, answer]).toEqual([200, answer]);
    return answer as A;
  };
  const { file, inputs } = await read<Related>(`/runs/${run}/related`);
  expect(file).toBe('playbooks/bids.yaml');
  const values = Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
  expect(values).toEqual({ size: '0.002', prices: '["40000","39900"]' });
  let presses = 0;
  const since = async (given: Readonly<Record<string, string>>): Promise<Since['changes']> => {
    const body = { press: `run-again-of-a-run-${++presses}`, file, inputs: given };
    const { plan, lines } = (await (await server.post('/plans', body)).json()) as Made;
    expect([plan, lines]).toEqual([expect.stringMatching(/^p-/), expect.anything()]);
    return (await read<Since>(`/runs/${run}/plan-since?plan=${plan}`)).changes;
  };
  expect(await since(values)).toEqual([]);
  const changes = await since({ size: '0.002', prices: '["40000","39800"]' });
  expect(changes.map(({ sign, text }) => `${sign} ${text.split(' ')[0]}`)).toEqual([
    '~ input.prices.1:',
    '+ bids[39800]:',
    '- bids[39900]:',
  ]);
  const path = join(cwd, 'playbooks/bids.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('side: buy', 'side: sell'));
  const [text, ...orders] = await since(values);
  expect(text).toEqual({ sign: '~', text: 'the text of the playbook' });
  expect(orders).toHaveLength(2);
});
