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

export interface Mortal {
  readonly file: AppendFile;
  readonly wire: (transport: Transport) => Transport;
  /** Acts so far. */
  readonly acts: () => number;
  readonly isDead: () => boolean;
}

/** One life, to its end or to its death. */
export function mortal(platter: Platter, death: Death | undefined): Mortal {
  let acts = 0;
  let isDead = false;
  const pass = (when: Death['when']): void => {
    if (when === 'before') acts += 1;
    if (death?.act === acts && death.when === when) isDead = true;
    if (isDead) throw new Died('the process died');
  };
  return {
    acts: () => acts,
    isDead: () => isDead,
    file: {
      write: async (text) => {
        pass('before');
        platter.text += text;
      },
      sync: async () => {
        platter.synced = platter.text;
        pass('after');
      },
      close: () => Promise.resolve(),
    },
    wire: (transport) => async (request, signal) => {
      pass('before');
      try {
        return await transport(request, signal);
      } finally {
        pass('after');
      }
    },
  };
}
