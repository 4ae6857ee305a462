/** A process that may die: at a journal write or a request, before or after it took effect. */
import type { Transport } from '../contract/exchange.ts';
import type { AppendFile } from '../journal/file.ts';
import type { Chance } from './chance.ts';

/** The moment a life ends: its n-th act, counted from 1. */
export interface Death {
  readonly act: number;
  readonly when: 'before' | 'after';
}

/** The process died here; nothing after it happens. */
class Died extends Error {
  override readonly name = 'Died';
}

/** The disk of a process that dies: what was not synced is lost, or torn. */
export interface Platter {
  text: string;
  synced: string;
}

/** What a crash leaves on the platter. */
export function crash(platter: Platter, chance: Chance): void {
  const rest = platter.text.slice(platter.synced.length);
  platter.text = platter.synced + rest.slice(0, chance.between(0, rest.length));
  platter.synced = platter.text;
}

/** One life: it dies at one of its acts, or never. */
export interface Mortal {
  /** Does something to the disk. @throws when the life is over, before the work or after it */
  readonly act: (work: () => void) => void;
  readonly wire: (transport: Transport) => Transport;
  readonly isDead: () => boolean;
  /** The process is gone, whatever of it was still under way. */
  readonly end: () => void;
}

/** @param onAct told before each act how many there are, this one included */
export function mortal(
  death: Death | undefined,
  onAct: (acts: number) => void = () => undefined,
): Mortal {
  let acts = 0;
  let isDead = false;
  const pass = (when: Death['when']): void => {
    if (when === 'before') onAct(++acts);
    if (death?.act === acts && death.when === when) isDead = true;
    if (isDead) throw new Died('the process died');
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
    isDead: () => isDead,
    end: () => {
      isDead = true;
    },
  };
}

/** The journal on the disk of a process that dies. */
export function journalOn(platter: Platter, act: Mortal['act']): AppendFile {
  return {
    write: async (text) => act(() => (platter.text += text)),
    sync: async () => act(() => (platter.synced = platter.text)),
    close: () => Promise.resolve(),
  };
}
