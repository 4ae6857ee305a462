/** Disks that end the world: real ones that die, before or after any of their acts. */
import { realDisk, type Disk, type DiskFile } from '../../src/engine/export/disk.ts';

/** The process is gone: nothing after this happens, not even tidying up. */
class Dead extends Error {
  override readonly name = 'Dead';
}

export interface MortalDisk extends Disk {
  /** How many acts were done or begun. */
  acts(): number;
}

/** A real disk that dies at its act number `last` (from 1): before doing it, or just after. */
export function mortalDisk(last: number, when: 'before' | 'after'): MortalDisk {
  let acts = 0;
  const act = async <T>(work: () => Promise<T>): Promise<T> => {
    acts++;
    if (acts > last || (acts === last && when === 'before')) throw new Dead();
    const done = work();
    if (acts !== last) return done;
    await done.catch(() => undefined); // who died never heard how it ended
    throw new Dead();
  };
  return {
    acts: () => acts,
    create: async (path) => {
      let made: DiskFile | undefined;
      try {
        return mortalFile(await act(async () => (made = await realDisk.create(path))), act);
      } catch (error) {
        await made?.close();
        throw error;
      }
    },
    reopen: async (path) => {
      const file = await realDisk.reopen(path);
      return file && mortalFile(file, act);
    },
    rename: (from, to) => act(() => realDisk.rename(from, to)),
    remove: (path) => act(() => realDisk.remove(path)),
    syncFolder: (path) => act(() => realDisk.syncFolder(path)),
  };
}

function mortalFile(file: DiskFile, act: <T>(work: () => Promise<T>) => Promise<T>): DiskFile {
  return {
    write: (text) => act(() => file.write(text)),
    cut: (bytes) => act(() => file.cut(bytes)),
    bytes: (from, to) => file.bytes(from, to),
    sync: () => act(() => file.sync()),
    close: () => file.close(), // the system closes the files of the dead
  };
}
