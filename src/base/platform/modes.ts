/** The access of other users to a file, by its mode; Node does not report the access lists of Windows. */
import { hasFileModes, thisSystem, type System } from './system.ts';

/** Users other than the owner, of its group or not. */
export type OthersAccess = 'none' | 'read' | 'write';

/** @returns the widest access of other users; undefined where the mode says nothing */
export function accessOfOthers(
  mode: number,
  system: System = thisSystem,
): OthersAccess | undefined {
  if (!hasFileModes(system)) return undefined;
  if ((mode & 0o022) !== 0) return 'write';
  return (mode & 0o044) === 0 ? 'none' : 'read';
}

/** The command that removes other users' access to a file on Windows, for messages. */
export const windowsShut = 'icacls PATH /inheritance:r /grant:r "%USERNAME%:F"';
