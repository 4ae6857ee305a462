/** Every rule `validate` knows, with its reason and an example of each kind. */
import type { Problem } from './playbook.ts';

export interface Rule {
  readonly code: Problem['code'];
  readonly title: string;
  readonly explanation: string;
  readonly bad: string;
  readonly good: string;
}

export const rules: readonly Rule[] = [];

export function ruleOf(code: string): Rule | undefined {
  return rules.find((rule) => rule.code === code);
}
