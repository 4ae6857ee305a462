/** A folder and locks in memory, for schedulers that live and die together. */
import type { AccountLock } from '../../../src/engine/journal/lock.ts';
import { LockedError } from '../../../src/engine/journal/lock.ts';
import type { Schedule } from '../../../src/app/schedule/schedule.ts';
import type { StateFiles } from '../../../src/stores/small-files.ts';

/** The process is gone: nothing after this happens. */
export class Dead extends Error {}

export type Disk = Map<string, string>;

export function filesOn(disk: Disk): StateFiles {
  return {
    read: async (path) => disk.get(path),
    replace: async (path, text, before) => {
      if (disk.get(path) !== before) return false;
      disk.set(path, text);
      return true;
    },
    create: async (path, text) => {
      if (disk.has(path)) return false;
      disk.set(path, text);
      return true;
    },
    append: async (path, line) => {
      const before = disk.get(path) ?? '';
      const text = `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${line}\n`;
      disk.set(path, text);
      return text.length;
    },
    names: async (folder) => [
      ...new Set(
        [...disk.keys()]
          .filter((path) => path.startsWith(`${folder}/`))
          .map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''),
      ),
    ],
    remove: async (folder) => {
      for (const path of disk.keys()) if (path.startsWith(`${folder}/`)) disk.delete(path);
    },
  };
}

/** Where a process dies: at its n-th write, before it, half-way through, or just after. */
export interface Death {
  readonly nth: number;
  readonly when: 'before' | 'during' | 'after';
}

export interface MortalFiles extends StateFiles {
  /** How many writes were begun. */
  writes(): number;
}

/** Files that let their process die at a write; a file that is replaced is whole or not there. */
export function mortalFiles(disk: Disk, death?: Death): MortalFiles {
  const files = filesOn(disk);
  let writes = 0;
  const act = async <T>(whole: () => Promise<T>, half?: () => Promise<unknown>): Promise<T> => {
    writes += 1;
    if (death === undefined || writes < death.nth) return whole();
    if (writes > death.nth || death.when === 'before') throw new Dead();
    if (death.when === 'during' && half !== undefined) await half();
    else if (death.when === 'after') await whole();
    throw new Dead();
  };
  const cut = (text: string): string => text.slice(0, text.length / 2);
  return {
    ...files,
    writes: () => writes,
    replace: (path, text, before) => act(() => files.replace(path, text, before)),
    create: (path, text) =>
      act(
        () => files.create(path, text),
        () => files.create(path, ''),
      ),
    append: (path, line) =>
      act(
        () => files.append(path, line),
        async () => disk.set(path, `${disk.get(path) ?? ''}${cut(line)}`),
      ),
    remove: (path) => act(() => files.remove(path)),
  };
}

/** Locks that the processes of one world share; those of the dead are free. */
export class Locks {
  readonly #held = new Map<string, object>();

  of(life: object): (name: string) => Promise<AccountLock> {
    return async (name) => {
      if (this.#held.has(name)) throw new LockedError('another process has it', 'wait');
      this.#held.set(name, life);
      return {
        release: async () => {
          if (this.#held.get(name) === life) this.#held.delete(name);
        },
      };
    };
  }

  bury(life: object): void {
    for (const [name, owner] of this.#held) if (owner === life) this.#held.delete(name);
  }
}

export function scheduleFor(given: Partial<Schedule> & { readonly id: string }): Schedule {
  return {
    playbook: given.id,
    file: `${given.id}.yaml`,
    profile: 'main',
    cron: '0 * * * *',
    timezone: 'UTC',
    only: [],
    writes: false,
    missed: 'once',
    overlap: 'skip',
    lateMs: 15 * 60_000,
    delayMs: 0,
    ...given,
  };
}
