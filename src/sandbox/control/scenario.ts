/** Control by scenario: a complete setup at once. */
import { loadScenario } from '../scenario/load.ts';
import { readScenario } from '../scenario/check.ts';
import type { ControlTable } from './context.ts';

export const scenarioControls: ControlTable = {
  scenario: {
    POST: (fields, { store }) => {
      loadScenario(readScenario(fields), store);
      return { now: store.now() };
    },
  },
};
