/** The same work in three languages: a playbook, and an Arazzo description with its OpenAPI. */
import { arazzoOf } from '../processes/arazzo.ts';

/** Steps of the kind a desk writes, each needing the one before. */
export function playbookOf(steps: number): string {
  const written = Array.from(
    { length: steps },
    (_, place) => `  - id: s${place}
    uses: futures/place-order
    needs: [${place === 0 ? '' : `s${place - 1}`}]
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      size: "{{ inputs.size }}", side: buy, orderType: limit, price: "{{ mul inputs.mark 0.98 }}" }
`,
  );
  return `playbook: 1
name: bench
inputs: { size: { type: decimal, default: 0.01 }, mark: { type: decimal, default: 61500.0 } }
steps:
${written.join('')}`;
}

export function descriptionOf(steps: number): string {
  const written = Array.from(
    { length: steps },
    (_, place) => `      - stepId: s${place}
        operationId: api.placeOrder
        requestBody:
          contentType: application/json
          payload: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed,
            marginCoin: USDT, size: $inputs.size, side: buy, orderType: limit, price: $inputs.price }
        successCriteria: [{ condition: $statusCode == 200 }]
`,
  );
  const inputs =
    '{ type: object, properties: { size: { type: string }, price: { type: string } } }';
  return arazzoOf(written, inputs);
}

export const openApiText = `openapi: 3.1.0
info: { title: api, version: 1.0.0 }
paths:
  /order:
    post:
      operationId: placeOrder
      responses: { '200': { description: done } }
`;
