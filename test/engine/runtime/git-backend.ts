/** The git store: lives on one machine, until another one takes over. */
import { hasBegun, readRun } from '../../../src/engine/journal/runs.ts';
import type { Millis } from '../../../src/base/clock.ts';
import { ended, hub, lease, machine, type Machine } from '../../stores/machines.ts';
import type { SilentPlace, TestBackend } from './backend.ts';
import { mortal, runId } from './life.ts';
import { Silences } from './silences.ts';
import { lifeInStore } from './store-life.ts';

function openPlace(): SilentPlace {
  const bare = hub();
  const silences = new Silences();
  let here: Machine | undefined;
  let observedAt: Millis | undefined;
  return {
    begin: async (options) => {
      const { clock, isTakeover = false } = options;
      observedAt ??= clock.now();
      if (isTakeover) {
        here = undefined;
        clock.advance(lease + 1);
      }
      here ??= machine(bare, { clock });
      const process = mortal(options);
      const store = here.storeFor((push) => process.act(() => silences.ask(push)), ended);
      return lifeInStore({ store, stateDir: here.stateDir, observedAt }, process, options);
    },
    stored: async () =>
      here !== undefined && (await hasBegun(here.stateDir, runId))
        ? readRun(here.stateDir, runId)
        : [],
    isPatient: false, // what it refuses is not sent, and a resume asks again
    silence: (how, times) => silences.begin(how, times),
  };
}

export const gitBackend: TestBackend = {
  name: 'git',
  open: openPlace,
  openFenced: openPlace,
  openSilent: openPlace,
};
