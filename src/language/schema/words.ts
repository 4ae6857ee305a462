/** Small schemas shared by parts of a playbook. */
import type { JsonRecord } from '../../base/json.ts';
import type { JsonSchema } from '../../exchange/api/schema.ts';

export function map<R extends JsonRecord>(description: string, rest: R) {
  return { type: 'object', additionalProperties: false, description, ...rest };
}

export function text(description: string) {
  return { type: 'string', description };
}

export function duration(description: string): JsonSchema {
  return {
    type: 'string',
    pattern: '^[0-9]{1,9}(ms|s|m|h|d)$',
    patternErrorMessage: 'must be a duration such as 500ms, 10s, 5m or 2h',
    description: `${description} As 10s, 5m or 2h.`,
  };
}

/** @param example an entry, as text */
export function templates(description: string, example: readonly [name: string, value: string]) {
  return { type: 'object', description, examples: [Object.fromEntries([example])] };
}
