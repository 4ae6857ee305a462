/** The limits of a playbook: given from outside, and tightened by its own. */
import type { Json } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import { evaluateTemplate } from '../../language/expression/evaluate.ts';
import { EvaluationError, toJson, type Value } from '../../language/expression/value.ts';
import { stepsOf } from '../../language/expressions.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { GuardRules } from '../../language/limits.ts';
import { tightest } from './tightest.ts';

/**
 * The limits in force: the profile's, tightened by the playbook's own.
 * @throws EvaluationError for symbols that are not names: an unreadable limit would allow
 * everything
 */
export function rulesOf(
  playbook: Playbook,
  inputs: Readonly<Record<string, Value>>,
  profile: GuardRules,
): GuardRules {
  const { symbols: template, hours, ...own } = playbook.guards;
  const found = template && evaluateTemplate(template, { inputs });
  const symbols = found?.known ? namesIn(toJson(found.value)) : undefined;
  return tightest(profile, {
    ...own,
    ...(symbols && { symbols }),
    ...(hours && { hours: [hours] }),
    ...(blocksDoubts(playbook) && { doubts: 'block' as const }),
  });
}

/** Whether doubts block a playbook, also if only a playbook that it uses says so. */
function blocksDoubts(playbook: Playbook): boolean {
  if (playbook.guards.doubts === 'block') return true;
  return stepsOf(playbook).some(
    ({ action }) => action.kind === 'playbook' && blocksDoubts(action.playbook),
  );
}

function namesIn(value: Json): readonly string[] {
  const names = Array.isArray(value) ? value : [value];
  const texts = names.filter((name) => typeof name === 'string');
  if (texts.length === names.length) return texts;
  throw new EvaluationError(
    `guards.symbols is ${plainText(JSON.stringify(value), 80)}`,
    'it must be a text or a list of texts such as [BTCUSDT, ETHUSDT]',
  );
}
