/** Control by scenario: a complete setup at once. */
import { loadScenario } from '../scenario/load.ts';
import { readScenario } from '../scenario/checked-scenario.ts';
import { scenario } from '../scenario/format.ts';
import type { ControlContext, ControlTable } from './control-context.ts';

function load(fields: unknown, { store }: ControlContext): unknown {
  loadScenario(readScenario(fields), store);
  return { now: store.now() };
}

export const scenarioControls: ControlTable = {
  scenario: {
    POST: Object.assign(load, { schema: scenario.json }),
  },
};
