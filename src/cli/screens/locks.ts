/** Locks of the state folder: their holders, and whether those processes still run. */
import { appendTo } from '../../base/groups.ts';
import { listed, plainText } from '../../base/text.ts';
import { wordFor, type NamedLock } from '../../engine/journal/lock.ts';
import { leftWords, processOf, unlockCommand } from '../../engine/journal/locked.ts';
import type { LockOutput } from '../../app/documents/run-lists.ts';
import type { Theme } from '../../report/terminal/theme.ts';

/** A line for each holder, with all its locks. */
export function lockLines(locks: readonly NamedLock[], { paint, sign }: Theme): readonly string[] {
  const holders = new Map<string, NamedLock[]>();
  for (const lock of locks) {
    const { name, record } = lock;
    const holder = record ? `${record.holder} (${processOf(record)})` : name;
    appendTo(holders, holder, lock);
  }
  return [...holders.values()].map((held) => {
    const [first] = held;
    const names = plainText(listed(held.map(({ name }) => name)), 200);
    if (first?.record === undefined) return `${paint('bad', '!')} the lock ${names} is damaged`;
    const { record, life } = first;
    const who = `${plainText(record.holder, 60)} (${processOf(record)})`;
    switch (life.state) {
      case 'alive':
        return `${who} is running and holds ${names}`;
      case 'dead':
        return `${who} ${leftWords(held.length)}`;
      case 'unknown': {
        const command = paint('command', unlockCommand(wordFor(first)));
        const because = plainText(life.because);
        return `${sign('warn')} ${who} may be running: ${because}; it holds ${names}; if it is gone permanently: ${command}`;
      }
    }
  });
}

/** The holder of a lock as JSON. */
export function lockData({ name, record, life }: NamedLock): LockOutput {
  return {
    name,
    ...(record && { holder: record.holder, pid: record.pid, host: record.host }),
    state: record === undefined ? 'damaged' : life.state,
    ...(life.state === 'unknown' && record && { because: life.because }),
  };
}
