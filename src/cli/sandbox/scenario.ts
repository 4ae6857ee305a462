/** A scenario from a file: every mistake is shown at its location before anything is done. */
import { isRecord, type JsonRecord } from '../../base/json.ts';
import { redactor } from '../../base/secret.ts';
import { count } from '../../base/text.ts';
import { codeFrames, maskedProblem } from '../../language/format.ts';
import { Problems } from '../../language/problems.ts';
import { plain, readSource } from '../../language/source.ts';
import { checkScenario } from '../../rehearsal/tests/scenario.ts';
import type { Context } from '../context.ts';
import { textArgument } from '../args/named-file.ts';
import { InvalidError } from '../../app/planning/invalid.ts';

/** Reads a scenario. @throws InvalidError when it is not a scenario */
export async function scenarioFrom(
  path: string,
  { terminal, secrets }: Context,
): Promise<JsonRecord> {
  const text = await textArgument(path, terminal);
  const problems = new Problems();
  const { source, tree } = readSource(text, path, problems);
  const value = tree === undefined ? {} : plain(tree);
  if (!problems.hasErrors && tree !== undefined) checkScenario(tree, value, { source, problems });
  const found = problems.sorted();
  if (found.length === 0 && isRecord(value)) return value;
  const { err } = terminal;
  const redact = redactor(secrets);
  const masked = found.map((each) => maskedProblem(each, redact));
  for (const frame of codeFrames(masked, redact(text), { color: err.theme.hasColour })) {
    err.line(`${frame.trimEnd()}\n`);
  }
  throw new InvalidError(`${path} has ${count(found.length, 'error')}`);
}
