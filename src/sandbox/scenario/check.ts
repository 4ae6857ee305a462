/** Reads a scenario: all its problems are reported before anything is applied. */
import { schemaProblems } from '../../api/check.ts';
import type { InputProblem } from '../../api/exchange.ts';
import { fieldOf, isRecord } from '../../base/json.ts';
import { Refusal } from '../refusal.ts';
import { scenario, type Scenario } from './schema.ts';

/** All problems of a scenario, with their location. */
export function scenarioProblems(value: unknown): readonly InputProblem[] {
  return schemaProblems(scenario.json, withTexts(value, scenario.json));
}

/** @throws Refusal listing all mistakes */
export function readScenario(value: unknown): Scenario {
  const scenarioText = withTexts(value, scenario.json);
  const problems = schemaProblems(scenario.json, scenarioText);
  if (isScenario(scenarioText, problems)) return scenarioText;
  throw new Refusal('40017', problems.map(({ message }) => message).join('; '));
}

function isScenario(_paper: unknown, problems: readonly InputProblem[]): _paper is Scenario {
  return problems.length === 0;
}

/** In YAML a price or a uid is a number: where the schema requires a text, it is converted. */
function withTexts(value: unknown, schema: unknown): unknown {
  if (typeof value === 'number') {
    return wantsText(schema) ? String(value) : value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => withTexts(item, fieldOf(schema, 'items')));
  }
  if (!isRecord(value)) return value;
  const properties = fieldOf(schema, 'properties');
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withTexts(item, fieldOf(properties, key))]),
  );
}

function wantsText(schema: unknown): boolean {
  const type = fieldOf(schema, 'type');
  const types = Array.isArray(type) ? type : [type];
  return types.includes('string') && !types.includes('integer');
}
