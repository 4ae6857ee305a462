/** The machine of a state folder: a random id, in a file that copies of the folder share. */
import { linkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DeskhandError, exits, isCode } from '../../base/error.ts';
import { randomId } from '../../base/random.ts';
import { readLock, writeOwnerFile } from '../../base/lock/disk.ts';
import { makeFolder } from './file.ts';
import { syncFolder } from '../../base/platform/folder-sync.ts';

/** The machine file is invalid, so this machine could not be distinguished from another. */
class MachineFileError extends DeskhandError {
  constructor(path: string, problem: string, hint: string) {
    super(`the machine file ${path} ${problem}; nothing was sent`, {
      code: 'locked',
      actor: 'operator',
      exit: exits.heldBack,
      hint,
    });
  }
}

/** The id of this machine, created at first use. @throws MachineFileError */
export async function machineId(stateDir: string): Promise<string> {
  const path = join(stateDir, 'machine');
  const known = readId(path);
  if (known !== undefined) return known;
  await makeFolder(stateDir);
  const draft = `${path}.${randomId(12)}.draft`;
  writeOwnerFile(draft, () => `${randomId(20)}\n`, true);
  try {
    linkSync(draft, path); // atomic: another process may read it at any time
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  await syncFolder(stateDir);
  return readId(path) ?? machineId(stateDir);
}

/** Reads the id of the machine without creating it; '' if unknown. */
export function machineIdIn(stateDir: string): string {
  try {
    return readId(join(stateDir, 'machine')) ?? '';
  } catch {
    return '';
  }
}

function readId(path: string): string | undefined {
  const found = readLock(path);
  if (found.kind === 'absent') return undefined;
  if (found.kind === 'unreadable') {
    const hint = `let this user read it, or remove it: rm ${path}`;
    throw new MachineFileError(path, 'cannot be read', hint);
  }
  if (/^[0-9a-z]{20}\n$/.test(found.text)) return found.text.trim();
  const hint = `remove it: rm ${path}. A new id is created, and leases of the old one must end first`;
  throw new MachineFileError(path, 'is damaged', hint);
}
