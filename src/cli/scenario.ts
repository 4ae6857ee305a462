/** A scenario from a file: every mistake in it is shown in its place, before anything is done. */
import { isRecord, type Json } from '../base/json.ts';
import { count } from '../base/text.ts';
import type { InputProblem } from '../contract/exchange.ts';
import { codeFrame } from '../playbook/format.ts';
import { Problems } from '../playbook/problems.ts';
import type { RuleCode } from '../playbook/rules.ts';
import { plain, readSource } from '../playbook/source.ts';
import { nodeNear } from '../playbook/structure.ts';
import { scenarioProblems } from '../sandbox/scenario/check.ts';
import type { Context } from './context.ts';
import { readGiven } from './files.ts';
import { InvalidError } from './playbooks.ts';

/** @throws InvalidError when it is no scenario */
export async function scenarioGiven(
  path: string,
  { terminal }: Context,
): Promise<{ readonly [key: string]: Json }> {
  const text = (await readGiven(path, terminal)).toString('utf8');
  const problems = new Problems();
  const { source, tree } = readSource(text, path, problems);
  const value = tree === undefined ? {} : plain(tree);
  if (!problems.hasErrors) {
    for (const { path: words, keyword, message } of scenarioProblems(value)) {
      const place = tree && nodeNear(tree, words.map(String));
      problems.add(rules[keyword], place ? source.of(place) : source.range(0, 1), message);
    }
  }
  const found = problems.sorted();
  if (found.length === 0 && isRecord(value)) return value;
  const { err } = terminal;
  for (const problem of found) {
    err.line(`${codeFrame(problem, text, { color: err.look.hasColour }).trimEnd()}\n`);
  }
  throw new InvalidError(`${path} has ${count(found.length, 'error')}`);
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
