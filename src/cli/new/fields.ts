/** The fields of a new playbook's request: those of `--with`, and answers for the others that it needs. */
import { UsageError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { listed } from '../../base/text.ts';
import { inputProblems } from '../../exchange/api/check.ts';
import { keyedWriteOf } from '../../exchange/api/meant-order.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import type { Ask, Question } from './questions.ts';

/** At most so many fields are required because of others. */
const conditionalMax = 10;

export async function fieldsFrom(
  pairs: readonly string[],
  ask: Ask,
  operation: OperationName,
): Promise<ReadonlyMap<string, string>> {
  const { input, window, effect } = operationOf(operation);
  const fields = givenIn(pairs);
  const { properties = {}, required } = input.json;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  // What a person is asked though the API has it as optional.
  const mode = keyedWriteOf(operation)?.checked.mode?.field;
  const missing: string[] = [];
  for (const [field, about] of Object.entries(isRecord(properties) ? properties : {})) {
    const isNeeded = needed.includes(field);
    if (fields.has(field) || field === window?.start || field === window?.end) continue;
    if (!isNeeded && field !== mode && (field !== 'symbol' || effect !== 'read')) continue;
    const answer = await ask(questionOf(field, about, isNeeded));
    if (answer === undefined) missing.push(field);
    else if (answer !== '') fields.set(field, answer);
  }
  if (effect !== 'read') await askConditional(operation, fields, missing, ask);
  if (missing.length === 0) return fields;
  throw new UsageError(
    `${listed(missing.map((field) => `--with ${field}=…`))} ${missing.length === 1 ? 'is' : 'are'} missing`,
    `fields are described by \`deskhand explain ${operation}\``,
  );
}

function givenIn(pairs: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const pair of pairs) {
    const [, field, value] = /^([\w-]+)=(.*)$/s.exec(pair) ?? [];
    if (field === undefined || value === undefined) {
      throw new UsageError('--with needs FIELD=VALUE', 'such as --with symbol=BTCUSDT');
    }
    fields.set(field, value);
  }
  return fields;
}

/** Asks for fields that are required because of other answers, such as the price of a limit order. */
async function askConditional(
  operation: OperationName,
  fields: Map<string, string>,
  missing: string[],
  ask: Ask,
): Promise<void> {
  const { properties } = operationOf(operation).input.json;
  for (let turn = 0; turn < conditionalMax; turn++) {
    const field = inputProblems(operation, Object.fromEntries(fields))
      .filter(({ keyword }) => keyword === 'required')
      .map(({ path: [name] }) => String(name))
      .find((name) => !missing.includes(name));
    if (field === undefined) return;
    const about = isRecord(properties) ? properties[field] : undefined;
    const answer = await ask(questionOf(field, about, true));
    if (answer === undefined) missing.push(field);
    else fields.set(field, answer);
  }
}

function questionOf(field: string, about: unknown, isNeeded: boolean): Question {
  const words =
    isRecord(about) && Array.isArray(about['enum']) ? about['enum'].map(String) : undefined;
  const meaning = isRecord(about) ? about['description'] : undefined;
  return {
    flag: `--with ${field}=…`,
    text: `${field}${typeof meaning === 'string' ? ` (${meaning})` : ''}?`,
    ...(words && { choices: words }),
    ...(!isNeeded && { initial: '' }),
  };
}
