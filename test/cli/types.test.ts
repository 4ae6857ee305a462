/** `types`: a program that is written against a playbook is checked by its compiler. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';

const playbook = `playbook: 1
name: typed
inputs:
  symbol: { type: string, description: "of the pair */" }
  rungs: { type: integer, default: 3 }
  side: { type: enum, values: [buy, sell], default: buy }
  legs: { type: list, items: { type: record, fields: { size: { type: decimal }, note: { type: string, optional: true } } }, default: [] }
steps:
  - id: tickers
    uses: market/list-tickers
    with: { category: SPOT, symbol: "{{ inputs.symbol }}" }
outputs:
  bid: "{{ steps.tickers.response.[0].bid1Price }}"
  found: "{{ gt (length steps.tickers.response) 0 }}"
  sides: [ "{{ inputs.side }}" ]
`;

const root = join(import.meta.dirname, '..', '..');

test('declares inputs and outputs', async () => {
  const cwd = folderWith({ 'typed.yaml': playbook });
  const { code, stdout } = await deskhand(['types', 'typed.yaml'], { cwd });
  expect([code, stdout]).toMatchInlineSnapshot(`
    [
      0,
      "/** Of the playbook typed in typed.yaml, by \`deskhand types FILE\`: run it again when they change. */

    /** Values of the option \`inputs\`; exact decimals are texts. */
    export interface Inputs {
      /** of the pair * / */
      readonly symbol: string;
      readonly rungs?: number | string;
      readonly side?: "buy" | "sell";
      readonly legs?: readonly ({
        readonly size: number | string;
        readonly note?: string;
      })[];
    }

    /** The \`outputs\` of the report of a run that is done; null if a step that gives the value was skipped. */
    export interface Outputs {
      readonly bid: string | null;
      readonly found: boolean | null;
      readonly sides: readonly (string)[] | null;
    }
    ",
    ]
  `);
});

test('a program compiles against it, and a wrong input does not', async () => {
  const cwd = folderWith({ 'typed.yaml': playbook });
  writeFileSync(join(cwd, 'typed.d.ts'), (await deskhand(['types', 'typed.yaml'], { cwd })).stdout);
  const run = await deskhand(['run', 'typed.yaml', '--var', 'symbol=BTCUSDT', '-o', 'json'], {
    cwd,
  });
  const { outputs } = JSON.parse(run.stdout);
  const program = `import type { Inputs, Outputs } from './typed.d.ts';
export const inputs: Inputs = { symbol: 'BTCUSDT', legs: [{ size: '0.1' }] };
export const outputs: Outputs = ${JSON.stringify(outputs)};
// @ts-expect-error: no such side
export const side: Inputs = { symbol: 'BTCUSDT', side: 'long' };
// @ts-expect-error: the symbol is missing
export const none: Inputs = {};
`;
  writeFileSync(join(cwd, 'program.ts'), program);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const words = [tsc, '--strict', '--noEmit', '--allowImportingTsExtensions', 'program.ts'];
  const { stdout } = spawnSync(process.execPath, words, { cwd, encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(readFileSync(join(cwd, 'typed.d.ts'), 'utf8')).toContain('export interface Outputs');
});
