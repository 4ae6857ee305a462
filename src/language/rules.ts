/** Every rule of `validate`, with its reason and examples. */
import { expressionRules } from './rules/expressions.ts';
import { readingRules } from './rules/reading.ts';
import { stepRules } from './rules/steps.ts';

export interface Rule {
  readonly code: RuleCode;
  readonly title: string;
  readonly explanation: string;
  readonly bad: string;
  readonly good: string;
}

const table = { ...readingRules, ...expressionRules, ...stepRules };

export type RuleCode = keyof typeof table;

export const rules: readonly Rule[] = Object.entries(table)
  .map(([code, [title, explanation, bad, good]]): Rule => {
    return { code: isRuleCode(code) ? code : 'PB001', title, explanation, bad, good };
  })
  .sort((a, b) => (a.code < b.code ? -1 : 1));

export function ruleOf(code: string): Rule | undefined {
  return rules.find((rule) => rule.code === code);
}

function isRuleCode(code: string): code is RuleCode {
  return Object.hasOwn(table, code);
}
