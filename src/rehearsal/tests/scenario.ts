/** Checks a scenario and locates its problems. */
import type { Json } from '../../base/json.ts';
import type { InputProblem } from '../../exchange/api/exchange.ts';
import type { Problems } from '../../language/problems.ts';
import type { RuleCode } from '../../language/rules.ts';
import { nodeNear } from '../../language/structure.ts';
import type { SourceNode } from '../../language/text/node.ts';
import type { SourceText } from '../../language/text/positions.ts';
import { scenarioProblems } from '../../sandbox/scenario/checked-scenario.ts';

/** Checks a scenario. @param value the scenario at this node */
export function checkScenario(
  node: SourceNode,
  value: Json,
  { source, problems }: { readonly source: SourceText; readonly problems: Problems },
): void {
  for (const { path, keyword, message } of scenarioProblems(value)) {
    const place = nodeNear(node, path.map(String));
    problems.add(rules[keyword], source.of(place), message);
  }
}

const rules: Readonly<Record<InputProblem['keyword'], RuleCode>> = {
  unknown: 'PB101',
  required: 'PB102',
  type: 'PB103',
  enum: 'PB104',
  format: 'PB104',
  range: 'PB105',
  rule: 'PB105',
};
