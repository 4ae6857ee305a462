/** The fields of a row that a decision needs: one that cannot be read fails the decision about that row only. */
import { isDecimalText } from '../../base/decimal.ts';
import { InternalError } from '../../base/error.ts';
import { fieldOf } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import { AnswerError } from './exchange.ts';
import type { OperationName } from './operations/index.ts';
import { rowSchema } from './row-schema.ts';
import { isNeeded, propertyOf, type JsonSchema } from './schema.ts';
import { formats } from './vocabulary.ts';

/** A field that a decision needs cannot be read in one row of a response. */
export class UnreadableFieldError extends AnswerError {
  /** The field, its row and the value received: `qty of order 123 is null`. */
  readonly words: string;

  /** @param row the name of the row in the message, such as `order 123` */
  constructor(operation: OperationName, field: string, row: string, value: unknown) {
    const words = `${field} of ${row} ${shown(value)}`;
    super(operation, words);
    this.words = words;
  }
}

/**
 * A field of a row as text: a decimal is in plain notation, and only a field that may be empty is.
 * @param row makes its name for an error
 * @throws UnreadableFieldError
 */
export function neededField(
  operation: OperationName,
  row: { readonly name: () => string; readonly fields: object },
  field: string,
): string {
  const text = readableField(operation, row.fields, field);
  if (text !== undefined) return text;
  throw new UnreadableFieldError(operation, field, row.name(), fieldOf(row.fields, field));
}

/** A field for a decision that can do without it; undefined if it cannot be read. */
export function readableField(
  operation: OperationName,
  fields: object,
  name: string,
): string | undefined {
  const schema = propertyOf(rowSchema(operation), name);
  if (!isNeeded(schema)) {
    throw new InternalError(`${operation} does not declare ${name} as needed`);
  }
  return textIn(schema, fieldOf(fields, name));
}

function textIn({ format, minLength, examples }: JsonSchema, value: unknown): string | undefined {
  const mayBeEmpty = format === 'decimal-or-empty';
  if (mayBeEmpty && (value === undefined || value === null || value === '')) return '';
  if (typeof value !== 'string') return undefined;
  switch (format) {
    case 'decimal':
    case 'decimal-or-empty':
      return isDecimalText(value) ? value : undefined;
    case 'millis':
      return formats.millis.test(value) ? value : undefined;
    default: {
      const isFree = format === undefined && minLength === undefined && examples === undefined;
      return isFree || value !== '' ? value : undefined;
    }
  }
}

function shown(value: unknown): string {
  if (value === undefined) return 'is absent';
  if (value === '') return 'is empty';
  if (value === null || typeof value !== 'object') return `is ${plainText(String(value), 60)}`;
  return Array.isArray(value) ? 'is a list' : 'is an object';
}
