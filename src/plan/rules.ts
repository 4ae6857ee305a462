/** The limits a playbook works under: given from outside, tightened by its own. */
import type { Json } from '../base/json.ts';
import { evaluateTemplate } from '../playbook/expression/evaluate.ts';
import { toJson, type Value } from '../playbook/expression/value.ts';
import type { Playbook } from '../playbook/playbook.ts';
import type { GuardRules } from '../playbook/limits.ts';
import { tightest } from './guards.ts';

/** The limits in force: the profile's, tightened by the playbook's own. */
export function rulesOf(
  { guards }: Playbook,
  inputs: Readonly<Record<string, Value>>,
  profile: GuardRules,
): GuardRules {
  const { symbols: template, hours, ...own } = guards;
  const found = template && evaluateTemplate(template, { inputs });
  const value = found?.known ? toJson(found.value) : undefined;
  const symbols = typeof value === 'string' ? [value] : namesIn(value);
  return tightest(profile, {
    ...own,
    ...(symbols && { symbols }),
    ...(hours && { hours: [hours] }),
  });
}

function namesIn(value: Json | undefined): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}
