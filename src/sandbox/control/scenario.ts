/** Control by scenario: a complete setup at once. */
import { loadScenario } from '../scenario/load.ts';
import { readScenario } from '../scenario/check.ts';
import { scenario } from '../scenario/schema.ts';
import type { ControlContext, ControlTable } from './context.ts';

function load(fields: unknown, { store }: ControlContext): unknown {
  loadScenario(readScenario(fields), store);
  return { now: store.now() };
}

export const scenarioControls: ControlTable = {
  scenario: {
    POST: Object.assign(load, { schema: scenario.json }),
  },
};
