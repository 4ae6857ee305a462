/** A life of the embedded engine over an open journal, whose process may die at any act of its storage. */
import type { AppendFile } from '../../../src/engine/journal/file.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import type { Journal } from '../../../src/engine/journal/journal.ts';
import { embeddedEngine } from '../../../src/engine/runtime/embedded.ts';
import type { TestLife, TestLifeOptions } from './backend.ts';

export const runId = 'r-contract';

/** The process is gone: nothing after this happens. */
class Gone extends Error {}

/** The acts of one process on its storage. */
export interface Mortal {
  /** Does one, unless the process is gone. */
  readonly act: <T>(work: () => Promise<T>) => Promise<T>;
  readonly die: () => void;
}

export function mortal({ diesAt = Infinity }: Pick<TestLifeOptions, 'diesAt'>): Mortal {
  let acts = 0;
  let isGone = false;
  return {
    act: async (work) => {
      if (++acts >= diesAt) isGone = true;
      if (isGone) throw new Gone();
      return work();
    },
    die: () => {
      isGone = true;
    },
  };
}

export function dyingFile(file: AppendFile, { act }: Mortal): AppendFile {
  return {
    write: (text) => act(() => file.write(text)),
    sync: () => act(() => file.sync()),
    close: () => file.close(),
  };
}

/** @param lost aborted when the store has given the run to another process */
export function lifeOn(
  options: TestLifeOptions,
  { die }: Mortal,
  journal: Journal,
  earlier: readonly Entry[],
  lost?: AbortSignal,
): TestLife {
  const { clock, effects, body, drain, onEntry } = options;
  const engine = embeddedEngine({
    runId,
    journal,
    earlier,
    effects,
    body,
    clock,
    time: async () => clock.now(),
    drain: lost === undefined ? drain : AbortSignal.any([drain, lost]),
    halt: new AbortController().signal,
    onEntry,
  });
  return {
    durable: engine.durable,
    deliver: engine.deliver,
    caughtUp: engine.caughtUp,
    die: async () => {
      die();
      engine.end();
    },
  };
}
