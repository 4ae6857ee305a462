/** Simulates a process that crashes at a journal write or a request, before or after it takes effect. */
import type { Transport } from '../../exchange/api/exchange.ts';
import type { AppendFile } from '../../engine/journal/file.ts';
import type { Chance } from './chance.ts';

/** The point at which a process crashes: its n-th action (a disk write or a request), from 1. */
export interface CrashPoint {
  readonly act: number;
  readonly when: 'before' | 'after';
}

/** The error thrown where the process crashed; nothing happens after it. */
class Crashed extends Error {
  override readonly name = 'Crashed';
}

/** The disk of a process that crashes: text that was not synced is lost or torn. */
export interface FakeDisk {
  text: string;
  synced: string;
}

/** Truncates the text to what a crash leaves: everything synced, and some of the rest. */
export function crash(disk: FakeDisk, chance: Chance): void {
  const rest = disk.text.slice(disk.synced.length);
  disk.text = disk.synced + rest.slice(0, chance.between(0, rest.length));
  disk.synced = disk.text;
}

/** One incarnation of a process: it crashes at one of its actions, or never. */
export interface CrashSimulator {
  /** Executes a disk action. @throws when the process has crashed, before or after the action */
  readonly act: (work: () => void) => void;
  readonly wire: (transport: Transport) => Transport;
  readonly isCrashed: () => boolean;
  /** Ends the process; everything in progress fails. */
  readonly end: () => void;
}

/** @param onAct called before each action with their number so far, including this one */
export function crashSimulator(
  crashPoint: CrashPoint | undefined,
  onAct: (acts: number) => void = () => undefined,
): CrashSimulator {
  let acts = 0;
  let hasCrashed = false;
  const pass = (when: CrashPoint['when']): void => {
    if (!hasCrashed && when === 'before') onAct(++acts); // tasks still in progress no longer count
    if (crashPoint?.act === acts && crashPoint.when === when) hasCrashed = true;
    if (hasCrashed) throw new Crashed('the process crashed');
  };
  return {
    act: (work) => {
      pass('before');
      work();
      pass('after');
    },
    wire: (transport) => async (request, signal) => {
      pass('before');
      try {
        return await transport(request, signal);
      } finally {
        pass('after');
      }
    },
    isCrashed: () => hasCrashed,
    end: () => {
      hasCrashed = true;
    },
  };
}

/** The journal on the disk of a crashing process. */
export function journalOn(disk: FakeDisk, act: CrashSimulator['act']): AppendFile {
  return {
    write: async (text) => act(() => (disk.text += text)),
    sync: async () => act(() => (disk.synced = disk.text)),
    close: () => Promise.resolve(),
  };
}
