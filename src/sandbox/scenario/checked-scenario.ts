/** Reads a scenario: all its problems are reported before anything is applied. */
import { schemaProblems } from '../../exchange/api/check.ts';
import type { InputProblem } from '../../exchange/api/exchange.ts';
import { Refusal } from '../refusal.ts';
import { scenario, type Scenario } from './format.ts';
import { withTexts } from './written.ts';

/** All problems of a scenario, with their location. */
export function scenarioProblems(value: unknown): readonly InputProblem[] {
  return schemaProblems(scenario.json, withTexts(value, scenario.json));
}

/** Reads a scenario from JSON. @throws Refusal listing all mistakes */
export function readScenario(value: unknown): Scenario {
  const scenarioText = withTexts(value, scenario.json);
  const problems = schemaProblems(scenario.json, scenarioText);
  if (isScenario(scenarioText, problems)) return scenarioText;
  throw new Refusal('40017', problems.map(({ message }) => message).join('; '));
}

function isScenario(_paper: unknown, problems: readonly InputProblem[]): _paper is Scenario {
  return problems.length === 0;
}
