/** A process that takes locks when it is told to: "take FOLDER NAME HOLDER", "release", one to a line. */
import { createInterface } from 'node:readline';
import { lockName, type AccountLock } from '../../src/engine/journal/lock.ts';
import { noGuard } from '../../src/base/lock/guard.ts';

let lock: AccountLock | undefined;

for await (const line of createInterface({ input: process.stdin })) {
  const [word, folder = '', name = '', holder = ''] = line.split(' ');
  try {
    if (word === 'take') lock = await lockName(folder, name, holder, { guard: noGuard });
    else await lock?.release();
    console.log('done');
  } catch (error) {
    console.log(String(error).replaceAll('\n', ' '));
  }
}
