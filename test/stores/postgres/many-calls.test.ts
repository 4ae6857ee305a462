/** Many runs of one process use one database. */
import { expect, test } from 'vitest';
import { second } from '../../../src/base/clock.ts';
import { openPostgres } from '../../../src/stores/postgres/runs.ts';

test('many calls at once cause no warning of the process', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', note);
  const runs = openPostgres({ url: 'postgres://desk:p@127.0.0.1:1/trades', lease: 3 * second });
  const calls = Array.from({ length: 20 }, () => runs.claims());
  const ends = await Promise.allSettled(calls);
  await runs.close();
  process.off('warning', note);
  expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
  expect(warnings).toEqual([]);
});
