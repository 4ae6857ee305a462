/** The operating system of this process: the only file that asks for it. Functions take it as a parameter, so that tests pass another. */
import process from 'node:process';

export type System = NodeJS.Platform;

export const thisSystem: System = process.platform;

/** Whether files have permissions for group and others that Node reports; Windows has access lists. */
export function hasFileModes(system: System = thisSystem): boolean {
  return system !== 'win32';
}

/** Whether a process can be asked to end: on Windows every signal ends it at once. */
export function canSignal(system: System = thisSystem): boolean {
  return system !== 'win32';
}

/** Whether servers listen on sockets that are files. */
export function hasSocketFiles(system: System = thisSystem): boolean {
  return system !== 'win32';
}

/**
 * The signals that ask this process to stop. Windows never sends SIGTERM; Ctrl-Break is SIGBREAK, and
 * SIGHUP means that the console is closed, after which a process has about 10 s.
 */
export function stopSignals(system: System = thisSystem): readonly NodeJS.Signals[] {
  return system === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];
}

/** Whether a person pressed Ctrl-C or Ctrl-Break. */
export function isInterrupt(signal: NodeJS.Signals): boolean {
  return signal === 'SIGINT' || signal === 'SIGBREAK';
}
