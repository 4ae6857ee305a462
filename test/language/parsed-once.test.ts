/** A playbook repeats expressions: each text is parsed once. */
import handlebars from 'handlebars';
import { expect, test, vi } from 'vitest';
import { loadPlaybook } from '../../src/language/load.ts';

test('a text that steps repeat is parsed once, and keeps its location in each', () => {
  const parse = vi.spyOn(handlebars, 'parseWithoutProcessing');
  const steps = Array.from(
    { length: 20 },
    (_none, place) => `  - id: s${place}
    uses: market/list-tickers
    if: "{{ gt inputs.count 0 }}"
    with: { category: SPOT, symbol: "{{ inputs.symbol }}" }
`,
  );
  const text = `playbook: 1
name: repeats
inputs: { count: { type: integer, default: 1 }, symbol: { type: string, default: BTCUSDT } }
steps:
${steps.join('')}`;
  const lines = new Set<number>();
  const { problems } = loadPlaybook(text, 'a.yaml', {
    onPath: ({ at }) => lines.add(at.start.line),
  });
  expect(problems).toEqual([]);
  expect(parse).toHaveBeenCalledTimes(2);
  parse.mockRestore();
  expect(lines.size).toBe(40);
});
