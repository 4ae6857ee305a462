/** The content of a write, independent of its notation: two inputs with equal content are one write. */
import { isDecimalText } from '../../base/decimal.ts';
import { canonicalJson, type Json, type JsonRecord } from '../../base/json.ts';
import { operationOf, type OperationName } from './operations/index.ts';
import { propertyOf, type JsonSchema } from './schema.ts';

/**
 * An input in canonical form: decimals without redundant zeros, symbols in upper case, no field
 * with its default value. `canonicalJson` sorts the fields.
 */
export function canonicalInput(operation: OperationName, input: JsonRecord): JsonRecord {
  const { input: described, keyed } = operationOf(operation);
  const schema = described.json;
  const { type = '', price } = keyed?.fields ?? {};
  const isMarketOrder = input[type] === 'market';
  const fields = Object.entries(input).flatMap(([name, value]): [string, Json][] => {
    // A market order has no price, even if one is given.
    if (isMarketOrder && name === price) return [];
    const property = propertyOf(schema, name);
    const canonical = canonicalValue(value, property);
    return isDefault(canonical, property) ? [] : [[name, canonical]];
  });
  return Object.fromEntries(fields);
}

function isDefault(value: Json, { default: given }: JsonSchema): boolean {
  return given !== undefined && canonicalJson(value) === canonicalJson(given);
}

function canonicalValue(value: Json, { format }: JsonSchema): Json {
  if (typeof value !== 'string') return value;
  switch (format) {
    case 'decimal':
    case 'decimal-or-empty':
      return canonicalDecimal(value);
    case 'symbol':
      return value.toUpperCase(); // the exchange ignores case
    default:
      return value;
  }
}

/** A decimal text without trailing zeros and without a sign on zero; any other text unchanged. */
export function canonicalDecimal(text: string): string {
  if (!isDecimalText(text)) return text;
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return short === '-0' ? '0' : short;
}
