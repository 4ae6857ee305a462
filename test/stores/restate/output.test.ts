/** The object of a run's files: which holder may change them. */
import { expect, test } from 'vitest';
import { output } from '../../../src/stores/restate/objects/output.ts';
import { invocationOver } from './memory.ts';

test('a holder whose question was overtaken changes nothing after a later one has stored a file', async () => {
  const values = new Map<string, unknown>();
  const invocation = invocationOver(values, { answer: true }); // the run says that each of them has it
  const ask = (handler: 'keep' | 'keepOnly', epoch: number, sha256: string): unknown => {
    const part = { path: 'out/a.csv', sha256, part: 0, bytes: 3, base64: 'AAAA' };
    const holder = { run: 'r-1', epoch, incarnation: '1.x', lease: 1 };
    return output.exclusive[handler]?.(invocation, { holder, part, output: part } as never);
  };
  expect(await ask('keep', 1, 'one')).toBe(true);
  expect(await ask('keep', 2, 'two')).toBe(true);
  const before = new Map(values);
  expect(await ask('keep', 1, 'one')).toBe(false);
  expect(await ask('keepOnly', 1, 'one')).toBe(false);
  expect(values).toEqual(before);
  expect(await ask('keepOnly', 2, 'two')).toBe(true);
  expect([...values.keys()].toSorted()).toEqual(['index', 'part 1 0']);
});
