/** Control by scenario: a rehearsal's whole setting at once. */
import { loadScenario } from '../scenario/load.ts';
import { readScenario } from '../scenario/check.ts';
import type { ControlTable } from './bench.ts';

export const scenarioControls: ControlTable = {
  scenario: {
    POST: (paper, { store }) => {
      loadScenario(readScenario(paper), store);
      return { now: store.now() };
    },
  },
};
