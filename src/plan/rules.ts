/** The limits a playbook works under: given from outside, tightened by its own. */
import { evaluateTemplate } from '../playbook/expression/evaluate.ts';
import { toJson, type Value } from '../playbook/expression/value.ts';
import type { Playbook } from '../playbook/playbook.ts';
import { tightest, type GuardRules } from './guards.ts';

/** The limits in force: the profile's, tightened by the playbook's own. */
export function rulesOf(
  { guards }: Playbook,
  inputs: Readonly<Record<string, Value>>,
  profile: GuardRules,
): GuardRules {
  const { symbols: template, ...own } = guards;
  const found = template && evaluateTemplate(template, { inputs });
  const value = found?.known ? toJson(found.value) : undefined;
  const symbols = Array.isArray(value) ? value.map(String) : undefined;
  return tightest(profile, { ...own, ...(symbols && { symbols }) });
}
