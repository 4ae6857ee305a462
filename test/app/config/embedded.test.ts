/** Accounts of one built-in sandbox open its world once. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { embeddedSandbox } from '../../../src/app/config/embedded.ts';
import { standingClock } from '../../../src/base/clock.ts';

const freshFolder = (): string => mkdtempSync(join(tmpdir(), 'embedded-'));

test('all that use a file share its world until the last one closes it', async () => {
  const [clock, file] = [standingClock(0), join(freshFolder(), 'world.ndjson')];
  const [one, other] = await Promise.all([
    embeddedSandbox(file, clock),
    embeddedSandbox(file, clock),
  ]);
  expect(other.sandbox === one.sandbox).toBe(true);
  await one.close();
  await one.close(); // what is closed twice counts once
  const third = await embeddedSandbox(file, clock);
  expect(third.sandbox === one.sandbox).toBe(true);
  await Promise.all([other.close(), third.close()]);
  const later = await embeddedSandbox(file, clock);
  expect(later.sandbox === one.sandbox).toBe(false);
  await later.close();
});

test('another file and another clock have their own', async () => {
  const [clock, folder] = [standingClock(0), freshFolder()];
  const one = await embeddedSandbox(join(folder, 'a.ndjson'), clock);
  const other = await embeddedSandbox(join(folder, 'b.ndjson'), clock);
  const timed = await embeddedSandbox(join(folder, 'a.ndjson'), standingClock(0));
  expect(new Set([one.sandbox, other.sandbox, timed.sandbox]).size).toBe(3);
  for (const each of [one, other, timed]) await each.close();
});

test('a file that cannot be opened is tried again', async () => {
  const [clock, file] = [standingClock(0), join(freshFolder(), 'world.ndjson')];
  writeFileSync(file, 'not a world\n');
  await expect(embeddedSandbox(file, clock)).rejects.toThrow();
  rmSync(file);
  await (await embeddedSandbox(file, clock)).close();
});
