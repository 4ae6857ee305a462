/** Checks the fields of a step against the API schema: known values completely, the rest by type. */
import type { Json } from '../../base/json.ts';
import { fieldOf } from '../../base/json.ts';
import { listed, nearWord } from '../../base/text.ts';
import { fieldsOf, inputProblems } from '../../exchange/api/check.ts';
import type { InputProblem } from '../../exchange/api/exchange.ts';
import { ignoredFields } from '../../exchange/api/ignored.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { valueMeant } from '../../exchange/api/other-names.ts';
import { isCompleted } from '../../exchange/api/reading.ts';
import { wireInput } from '../expression/evaluate.ts';
import { leftOutByStep } from '../expression/grammar.ts';
import { isPlainMap } from '../expression/helpers/define.ts';
import { isNumeric, typeName, type Type } from '../expression/type.ts';
import { EvaluationError, isList, type Value } from '../expression/value.ts';
import type { BuiltIn, Step, Template } from '../playbook.ts';
import { ofBuiltIns } from '../schema/with.ts';
import { didYouMean, type Problems } from '../problems.ts';
import { ownersOf, stepKeys } from '../schema.ts';
import { constantIn } from './constant.ts';
import { reportMissing, type Missing } from './missing.ts';
import { checkOrder } from './order.ts';
import { checkTimes } from './times.ts';
import type { StepRanges } from './step-ranges.ts';

/**
 * Checks `with` of an operation. `given` names every field that is present, even an unreadable one.
 */
export function checkOperation(
  step: Step,
  operation: OperationName,
  given: readonly string[],
  ranges: StepRanges,
  problems: Problems,
): void {
  const known = knownFields(step, operation, problems);
  const missing: Missing[] = [];
  for (const problem of inputProblems(operation, known)) {
    const [field = ''] = problem.path.map(String);
    const fields = [field, ...(problem.orElse === undefined ? [] : [problem.orElse])];
    const isHere = fields.some((each) => isGiven(each, given, operation));
    if (problem.keyword !== 'required') report(problem, field, step, operation, ranges, problems);
    else if (!isHere) missing.push(missingOf(problem, field, operation, ranges));
  }
  const names = fieldsOf(operation);
  const unknown = given.filter((field) => !names.includes(field));
  reportMissing(missing, unknown, problems);
  for (const field of given) {
    if (step.with.has(field) && field in known) continue;
    const [problem] = inputProblems(operation, { [field]: '' }).filter(
      ({ keyword }) => keyword === 'unknown',
    );
    if (problem) report(problem, field, step, operation, ranges, problems);
  }
  const sent = given.filter((field) => !isNothing(step.with.get(field)));
  for (const { field, level, message, hint } of ignoredFields(operation, known, sent)) {
    problems.add('PB209', ranges.key(field) ?? ranges.uses, message, { level, hint });
  }
  checkTimes(step, operation, given, ranges, problems);
  if (step.write !== undefined) checkWhole(operation, given, ranges, problems);
  checkOrder(operation, known, given, ranges, problems);
}

/** Whether a required field is present, or completed by a read of all pages. */
function isGiven(field: string, given: readonly string[], operation: OperationName): boolean {
  const present = Object.fromEntries(given.map((name) => [name, '']));
  return field in present || isCompleted(operation, present, field);
}

/** A file has the rows of all pages; a step that names one page requests a response. */
function checkWhole(
  operation: OperationName,
  given: readonly string[],
  ranges: StepRanges,
  problems: Problems,
): void {
  const field = operationOf(operation).page?.parameter;
  if (field === undefined || !given.includes(field)) return;
  const message = `${field} selects one page, and write needs all pages`;
  problems.add('PB205', ranges.key(field) ?? ranges.uses, message, {
    hint: `remove ${field}: pages are followed automatically`,
  });
}

/** Fields with certain values, as sent. */
function knownFields(
  step: Step,
  operation: OperationName,
  problems: Problems,
): Readonly<Record<string, Json>> {
  const known: Record<string, Json> = {};
  for (const [field, template] of step.with) {
    if (template.kind === 'literal' ? isNothing(template) : !isScalarValue(constantIn(template))) {
      continue;
    }
    try {
      Object.assign(known, wireInput(operation, new Map([[field, template]]), {}).input);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      const { message, hint } = error;
      problems.add('PB204', template.at, message, hint === undefined ? {} : { hint });
    }
  }
  return known;
}

/** Whether a field has no value: such a field is omitted. */
function isNothing(template: Template | undefined): boolean {
  return template?.kind === 'literal' && template.value === null;
}

/** Whether a value is a scalar; lists and maps are reported by their type. */
function isScalarValue(value: Value | undefined): boolean {
  return value !== undefined && value !== null && !isList(value) && !isPlainMap(value);
}

function report(
  problem: InputProblem,
  field: string,
  step: Step,
  operation: OperationName,
  ranges: StepRanges,
  problems: Problems,
): void {
  const { keyword, message, allowed, hint } = problem;
  const at = ranges.field(field) ?? ranges.uses;
  switch (keyword) {
    case 'unknown':
      return problems.add('PB202', ranges.key(field) ?? at, message, hintFor(field, hint));
    case 'required':
      return; // all at once
    case 'enum': {
      const value = step.with.get(field);
      const near = value?.kind === 'literal' ? nearWord(value.source, allowed ?? []) : undefined;
      return problems.add('PB204', at, message, hint ? { hint } : didYouMean(near));
    }
    case 'type': {
      const value = step.with.get(field);
      const words = listIn(
        fieldOf(fieldOf(operationOf(operation).input.json, 'properties'), field),
      );
      const meant = value?.kind === 'literal' ? valueMeant(value.value, words) : undefined;
      if (meant !== undefined) {
        const text = `${field} must be ${listed(words, 'or')}`;
        return problems.add('PB204', at, text, { hint: `write ${field}: ${meant}` });
      }
      const isNumber = value?.kind === 'literal' && typeof value.value === 'number';
      const text = isNumber ? `${field}: write ${value.source} as a plain decimal number` : message;
      return problems.add('PB204', at, text, {
        hint: 'exponents, leading zeros and other bases are not supported',
      });
    }
    case 'format':
    case 'range':
    case 'rule':
      return problems.add('PB204', at, message, hint ? { hint } : {});
  }
}

/** A missing field, at the field because of which it is required. */
function missingOf(
  { message, orElse }: InputProblem,
  field: string,
  operation: OperationName,
  ranges: StepRanges,
): Missing {
  const cause = (operationOf(operation).requiredWhen ?? []).find(
    ({ require, because }) => require === field && message.includes(because),
  );
  if (cause === undefined) return { field, at: ranges.uses };
  const [why = ''] = Object.keys(cause.when);
  const at = ranges.field(why) ?? ranges.uses;
  return { field, at, message, ...(orElse !== undefined && { orElse }) };
}

function listIn(schema: unknown): readonly string[] {
  const words = fieldOf(schema, 'enum');
  return Array.isArray(words) ? words.map(String) : [];
}

/**
 * The hint for an unknown field: after a misspelling, the most likely mistake is a key of the step one
 * level too deep.
 */
function hintFor(field: string, hint?: string): { readonly hint?: string } {
  if (stepKeys.includes(field)) {
    return { hint: `${field} belongs to the step: write it next to uses, not under with` };
  }
  const [owner, ...others] = ownersOf(field);
  if (owner !== undefined && others.length === 0) {
    return { hint: `${field} belongs to ${owner}: ${owner}: { ${field}: … }, next to uses` };
  }
  return hint === undefined ? {} : { hint };
}

/** Whether a template's type can be converted to that of a field. */
export function checkFieldType(
  operation: OperationName,
  field: string,
  template: Template,
  type: Type,
  problems: Problems,
): void {
  const schema = fieldOf(fieldOf(operationOf(operation).input.json, 'properties'), field);
  if (schema === undefined) return;
  const format = fieldOf(schema, 'format');
  const words = listIn(schema);
  const wrong = misfit(
    type,
    typeof format === 'string' ? format : undefined,
    words.length === 0 ? undefined : words,
  );
  if (!wrong) return;
  const mayBeEmpty = type.kind === 'text' && type.values?.includes('') === true;
  const message = `${field} expects ${wrong}, found ${typeName(type)}`;
  problems.add('PB305', template.at, message, mayBeEmpty ? { hint: leftOutByStep } : {});
}

function misfit(
  type: Type,
  format: string | undefined,
  words: readonly string[] | undefined,
): string | undefined {
  switch (type.kind) {
    case 'any':
      return undefined;
    case 'list':
    case 'map':
    case 'record':
    case 'boolean':
    case 'duration':
    case 'null':
      return 'a text';
    case 'time':
      return format === 'millis' ? undefined : 'a text';
    case 'integer':
    case 'decimal':
      return words
        ? `one of ${listed(words, 'or')}`
        : format === 'id' && type.kind === 'decimal'
          ? 'a whole number'
          : undefined;
    case 'text':
      if (words && type.values && !type.values.every((word) => words.includes(word))) {
        return `one of ${listed(words, 'or')}`;
      }
      if (format === 'decimal' && !isNumeric(type)) return 'a decimal number';
      return undefined;
  }
}

/** Checks `with` of a built-in step. */
export function checkBuiltIn(
  name: BuiltIn,
  given: readonly string[],
  ranges: StepRanges,
  problems: Problems,
): void {
  const { required = [], properties } = ofBuiltIns[name];
  const known = Object.keys(properties);
  for (const field of given) {
    if (known.includes(field)) continue;
    problems.add(
      'PB202',
      ranges.key(field) ?? ranges.uses,
      `${name} has no field ${JSON.stringify(field)}`,
      hintFor(field, didYouMean(nearWord(field, known)).hint ?? `it has ${listed(known)}`),
    );
  }
  const missing = required.filter((field) => !given.includes(field));
  reportMissing(
    missing.map((field) => ({ field, at: ranges.uses })),
    given.filter((field) => !known.includes(field)),
    problems,
  );
  if (name === 'wait' && !given.includes('for') && !given.includes('until')) {
    problems.add('PB203', ranges.uses, 'wait needs for or until', {
      hint: 'as in with: { for: "{{ inputs.pause }}" }',
    });
  }
}
