/** The shared store over a database, with another machine for each life. */
import { join } from 'node:path';
import type { Millis } from '../../../src/base/clock.ts';
import { readJournal } from '../../../src/engine/journal/journal.ts';
import type { Batch, SharedRuns } from '../../../src/stores/shared/shared-runs.ts';
import { freshFolder } from '../../stores/machines.ts';
import { lease, machineOn } from '../../stores/shared/machines.ts';
import type { ForgetfulPlace, SilentPlace, TestBackend } from './backend.ts';
import { mortal, runId } from './life.ts';
import { Silences } from './silences.ts';
import { lifeInStore } from './store-life.ts';

/** A database with nothing in it. */
export interface TestDatabase {
  connect(): SharedRuns;
  /** Moves its clock. */
  advance(ms: Millis): Promise<void>;
  /** It lacks the last lines of a run, and shows that it is another one. */
  forget(run: string, lines: number): Promise<void>;
}

export function sharedBackend(name: string, create: () => Promise<TestDatabase>): TestBackend {
  const open = async (): Promise<ForgetfulPlace & SilentPlace> => {
    const database = await create();
    const silences = new Silences();
    const runs = database.connect();
    let observedAt: Millis | undefined;
    const connect = (): SharedRuns => {
      const own = database.connect();
      return {
        ...own,
        keep: (holder, batch) => silences.ask(() => own.keep(holder, limited(batch))),
      };
    };
    return {
      begin: async (options) => {
        observedAt ??= options.clock.now();
        await database.advance(lease + 1); // of the life before
        const stateDir = join(freshFolder(), 'state');
        const process = mortal(options);
        const store = machineOn(connect, options.clock, stateDir).storeFor(process.act);
        return lifeInStore({ store, stateDir, observedAt }, process, options);
      },
      stored: async () => {
        const lines = await runs.lines(runId, 0);
        return lines === undefined ? [] : readJournal(lines.text, name).entries;
      },
      forget: (lines) => database.forget(runId, lines),
      isPatient: true,
      silence: (how, times) => silences.begin(how, times),
    };
  };
  return { name, open, openFenced: open, openForgetful: open, openSilent: open };
}

const charactersMax = 8 * 1024 * 1024;

/** A database takes no longer statement. */
function limited(batch: Batch): Batch {
  const characters = batch.rows.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > charactersMax) throw new Error(`${characters} characters in a statement`);
  return batch;
}
