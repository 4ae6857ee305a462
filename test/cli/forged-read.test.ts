/** What a run read is not believed by an approved resume when other machines write the record. */
import { expect, test } from 'vitest';
import { begunAndKilled, cheaper, expectReadAgain, forgedAt, longer } from './forged-desk.ts';

test.each([
  ['a price that the run read', 'late.yaml'],
  ['an output of a nested playbook', 'nested.yaml'],
])('%s is read again, and a forged one sends nothing', async (_what, file) => {
  await expectReadAgain(file);
});

test('what a program printed is not believed: the rest needs a plan of its own', async () => {
  const desk = await begunAndKilled('decided.yaml');
  const refused = await desk.resume(await desk.with((event) => event));
  expect([refused.code, refused.stderr]).toEqual([
    6,
    expect.stringMatching(/enter was made from what prices returned and is only recorded/),
  ]);
  expect(await desk.placed()).toBe(0);
});

test.each([
  ['of an item that its plan lacks', longer, 'enter\\[ETHUSDT\\]'],
  ['at another price than in its plan', cheaper, 'enter\\[BTCUSDT\\]'],
])('a write %s sends nothing', async (_what, change, address) => {
  const desk = await begunAndKilled('planned.yaml');
  const refused = await desk.resume(await desk.with(forgedAt('look', change)));
  expect([refused.code, refused.stderr]).toEqual([
    6,
    expect.stringMatching(new RegExp(`${address} in the journal of run r-\\S+ differs from plan`)),
  ]);
  expect(await desk.placed()).toBe(0);
});
