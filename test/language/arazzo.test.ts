/** A playbook as an Arazzo description: what Arazzo can say, and what stays as it is written. */
import { expect, test } from 'vitest';
import { operationOf } from '../../src/exchange/api/operations/index.ts';
import { arazzoOf } from '../../src/language/arazzo.ts';
import { loadPlaybook } from '../../src/language/load.ts';

const described = (steps: string): unknown => {
  const { playbook, problems } = loadPlaybook(`playbook: 1\nname: desk\n${steps}`, 'desk.yaml');
  if (playbook === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return arazzoOf(playbook, './openapi.json');
};

test('inputs, requests and outputs are in the words of Arazzo where it has them', () => {
  expect(
    described(`
inputs:
  symbol: { type: string, default: BTCUSDT }
  size: { type: decimal }
steps:
  - id: price
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: "{{ inputs.symbol }}" }
    outputs: { mark: "{{ response.0.lastPrice }}", all: "{{ length response }}" }
  - id: bid
    if: "{{ gt inputs.size 0 }}"
    uses: futures/place-order
    with:
      symbol: "{{ inputs.symbol }}"
      productType: USDT-FUTURES
      marginMode: crossed
      marginCoin: USDT
      side: buy
      tradeSide: open
      orderType: limit
      price: "{{ mul steps.price.outputs.mark 0.99 }}"
      size: "{{ inputs.size }}"
outputs: { mark: "{{ steps.price.outputs.mark }}", all: "{{ steps.price.outputs.all }}" }
`),
  ).toMatchObject({
    info: { summary: expect.stringContaining('exported for reading') },
    workflows: [
      {
        description: expect.stringContaining('exported for reading'), // the playbook has none
        inputs: {
          properties: { symbol: { type: 'string', default: 'BTCUSDT' } },
          required: ['size'],
        },
        steps: [
          {
            description: operationOf('market/list-tickers').title, // the step has no name
            operationId: '$sourceDescriptions.exchange.market_list_tickers',
            parameters: [
              { name: 'category', in: 'query', value: 'USDT-FUTURES' },
              { name: 'symbol', in: 'query', value: '$inputs.symbol' },
            ],
            outputs: { response: '$response.body#/data', mark: '$response.body#/data/0/lastPrice' },
            'x-deskhand': { outputs: { all: '{{ length response }}' } },
          },
          {
            requestBody: {
              payload: { price: '{{ mul steps.price.outputs.mark 0.99 }}', size: '$inputs.size' },
            },
            'x-deskhand': { if: '{{ gt inputs.size 0 }}' },
          },
        ],
        outputs: { mark: '$steps.price.outputs.mark' },
      },
    ],
  });
});

test('steps that call nothing are named, and a playbook without any other is none', () => {
  const pause = '  - { id: pause, uses: wait, with: { for: 1s } }\n';
  const rates = '  - { id: rates, uses: market/list-discount-rates }\n';
  expect(described(`steps:\n${pause}`)).toBeUndefined();
  expect(described(`steps:\n${rates}${pause}`)).toMatchObject({
    workflows: [
      {
        steps: [{ stepId: 'rates' }],
        'x-deskhand': { 'other-steps': [{ id: 'pause', uses: 'wait' }] },
      },
    ],
  });
});
