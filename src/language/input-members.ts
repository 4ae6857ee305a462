/** Reads the members of a given list, map or record, and keeps every problem with its path. */
import { nearWord } from '../base/text.ts';
import { EvaluationError, type Scope, type Value } from './expression/value.ts';
import type { DeclaredType, FieldDeclaration, Template } from './playbook.ts';

export interface MemberIssue {
  readonly path: readonly string[];
  readonly message: string;
  readonly hint?: string;
}

const issuesMax = 50; // of one input; a file with another mistake in every row has no more to say

/** The value of an input while it is read. */
export class InputReading {
  /** The values that defaults may use. */
  readonly scope: Scope;
  readonly issues: MemberIssue[] = [];
  readonly #path: string[] = [];
  readonly #defaults = new Map<Template, Value>();

  constructor(scope: Scope) {
    this.scope = scope;
  }

  /** Reads one member; one with a problem is null. @throws EvaluationError after too many problems */
  member(name: string, read: () => Value): Value {
    this.#path.push(name);
    try {
      return read();
    } catch (error) {
      if (!(error instanceof EvaluationError) || this.issues.length >= issuesMax) throw error;
      this.add(error.message, error.hint);
      return null;
    } finally {
      this.#path.pop();
    }
  }

  add(message: string, hint: string | undefined): void {
    this.issues.push({ path: [...this.#path], message, ...(hint !== undefined && { hint }) });
  }

  /** The value of a field's default, which is the same for all records. */
  default(template: Template, read: () => Value): Value {
    const known = this.#defaults.get(template);
    if (known !== undefined) return known;
    const value = read();
    this.#defaults.set(template, value);
    return value;
  }
}

/** How the values of a record's fields are read. */
export interface FieldReaders {
  readonly given: (field: DeclaredType, value: Value) => Value;
  readonly initial: (field: DeclaredType, initial: Template) => Value;
}

/** The declared fields of a record, in their order; null is absent. */
export function recordIn(
  fields: ReadonlyMap<string, FieldDeclaration>,
  given: Readonly<Record<string, Value>>,
  reading: InputReading,
  { given: readGiven, initial: readInitial }: FieldReaders,
): Value {
  for (const name of Object.keys(given)) {
    if (fields.has(name)) continue;
    reading.member(name, () => {
      throw new EvaluationError('not a field', fieldHint(name, fields));
    });
  }
  const record: Record<string, Value> = {};
  for (const [name, field] of fields) {
    const value = Object.hasOwn(given, name) ? (given[name] ?? null) : null;
    const { default: initial } = field;
    if (value !== null) record[name] = reading.member(name, () => readGiven(field, value));
    else if (initial !== undefined) {
      record[name] = reading.default(initial, () => readInitial(field, initial));
    } else if (isRequiredField(field)) {
      reading.member(name, () => {
        throw new EvaluationError('a value is required');
      });
    }
  }
  return record;
}

/** Whether a field must be given. */
export function isRequiredField({ default: initial, isOptional }: FieldDeclaration): boolean {
  return initial === undefined && !isOptional;
}

/** The similar field, or all of them. */
export function fieldHint(name: string, fields: ReadonlyMap<string, unknown>): string {
  const near = nearWord(name, fields.keys());
  return near === undefined
    ? `the fields: ${[...fields.keys()].join(', ')}`
    : `did you mean ${JSON.stringify(near)}?`;
}
