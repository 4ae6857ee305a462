/** A plan says before its run that the record will be long. */
import { expect, test } from 'vitest';
import { costWords } from '../../src/report/words.ts';

const totals = { create: 0, set: 0, unchanged: 0, orders: 0, notional: '0', seconds: 0 };
const words = (requests: number): string => costWords({ ...totals, requests });

test('the record of most plans is short, and nothing is said of it', () => {
  expect(words(10_000)).toBe('about 10000 requests, no wait at the limits');
});

test('a long record is told with its size, and one above the bound with what to do', () => {
  expect(words(100_000)).toMatch(/, a record of about 124 MiB$/);
  expect(words(300_000)).toMatch(/about 372 MiB, above the bound of 256 MiB: split the playbook$/);
});
