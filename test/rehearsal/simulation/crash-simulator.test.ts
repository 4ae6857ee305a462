/** What the disk of a rehearsed process keeps when the process dies. */
import { expect, test } from 'vitest';
import { chanceOf } from '../../../src/rehearsal/simulation/chance.ts';
import {
  crash,
  journalOn,
  crashSimulator,
  type CrashPoint,
} from '../../../src/rehearsal/simulation/crash-simulator.ts';

/** What is left of two groups of entries after a death, for twenty fates of what was not synced. */
async function leftBy(death: CrashPoint): Promise<readonly string[]> {
  const fates = Array.from({ length: 20 }, async (_, seed) => {
    const platter = { text: '', synced: '' };
    const file = journalOn(platter, crashSimulator(death).act);
    const written = async (): Promise<void> => {
      for (const group of ['first\n', 'second\n']) {
        await file.write(group);
        await file.sync();
      }
    };
    await expect(written()).rejects.toThrow('the process crashed');
    crash(platter, chanceOf(seed));
    return platter.text;
  });
  return [...new Set(await Promise.all(fates))];
}

test('synced data remains, and nothing else is guaranteed', async () => {
  expect(await leftBy({ act: 2, when: 'after' })).toEqual(['first\n']);
  expect(await leftBy({ act: 3, when: 'before' })).toEqual(['first\n']);
});

test('data that was written and not synced may be complete, torn or lost', async () => {
  for (const death of [
    { act: 3, when: 'after' },
    { act: 4, when: 'before' },
  ] as const) {
    const left = await leftBy(death);
    for (const text of left) expect('first\nsecond\n'.startsWith(text)).toBe(true);
    expect(left.some((text) => text.endsWith('sec'))).toBe(true);
    expect(left).toContain('first\n');
    expect(left).toContain('first\nsecond\n');
  }
});
