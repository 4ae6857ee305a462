/** The built-in sandbox in this process: accounts of one world share it while any of them is open. */
import type { Clock } from '../../base/clock.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

interface Shared {
  readonly opening: Promise<Sandbox>;
  users: number;
}

const open = new WeakMap<Clock, Map<string, Shared>>();

/**
 * The sandbox of a file, which is opened once for all that use it: opening one replays its world. Each of them
 * closes what it got here; the last one closes the sandbox.
 * @throws DamagedError when the file cannot be read
 */
export async function embeddedSandbox(
  stateFile: string,
  clock: Clock,
): Promise<{ readonly sandbox: Sandbox; readonly close: () => Promise<void> }> {
  const worlds = open.get(clock) ?? new Map<string, Shared>();
  open.set(clock, worlds);
  const shared = worlds.get(stateFile) ?? { opening: opened(stateFile, clock), users: 0 };
  worlds.set(stateFile, shared);
  shared.users += 1;
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    shared.users -= 1;
    if (shared.users > 0) return;
    worlds.delete(stateFile);
    const [sandbox] = await Promise.allSettled([shared.opening]);
    if (sandbox.status === 'fulfilled') await sandbox.value.close();
  };
  try {
    return { sandbox: await shared.opening, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function opened(stateFile: string, clock: Clock): Promise<Sandbox> {
  const { openSandbox } = await import('../../sandbox/sandbox.ts');
  return openSandbox({ clock, stateFile });
}
