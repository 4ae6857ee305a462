/** The numbers of a run's outcome: what fits below each, without a word cut in two. */
import { expect, test } from 'vitest';
import { talliesOf } from '../../src/report/blocks/tallies.ts';
import { stopOf } from '../../src/report/stop.ts';
import { storyOf } from '../../src/report/story.ts';
import { summaryOf } from '../../src/report/summary.ts';
import { stoppedRun } from '../support/entries.ts';

test('below a number are whole texts, and of one that is too long whole words', () => {
  const summary = summaryOf(stoppedRun());
  const refused = [0, 1, 2, 3].flatMap((at) =>
    summary.refused.map((one) => ({ ...one, what: `BTCUSDT buy 0.001 @ 40,39${at}, crossed` })),
  );
  const addresses = Array.from({ length: 8 }, (_none, at) => `rungs[${398 + at}]`).join(', ');
  const notSent = [
    { text: '603 orders', count: 603, detail: `${addresses}, rungs[406], rungs[407]` },
  ];
  const notes = talliesOf({ ...summary, refused, notSent }).map(({ note }) => note);
  expect(notes[1]).toBe(
    'BTCUSDT buy 0.001 @ 40,390, crossed · BTCUSDT buy 0.001 @ 40,391, crossed …',
  );
  expect(notes[3]).toMatch(/^603 orders: rungs\[398\], .*, rungs\[40\d\] …$/);
});

test('a hint that repeats the words of the exchange is left out', () => {
  const repeated = stoppedRun().map((entry) =>
    entry.kind === 'settled' && entry.outcome.kind === 'refused'
      ? { ...entry, outcome: { ...entry.outcome, hint: entry.outcome.message } }
      : entry,
  );
  expect(stopOf(storyOf(stoppedRun()))?.hint).toBe('lower the size or fund the account');
  expect(stopOf(storyOf(repeated))?.hint).toBeUndefined();
});
