/** The schema of the keys of a step that decide about its items and their failures. */
import type { JsonSchema } from '../../exchange/api/schema.ts';
import { onErrorWords } from '../playbook.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

/** The items that a step repeats over: a list, a map, or the combinations of a matrix. */
export function forEach(): JsonSchema {
  const matrix = {
    type: 'object',
    additionalProperties: { type: ['string', 'array'] },
    description:
      'Lists by name: the step runs once for each combination of their values, the first list slowest.',
  };
  const exclude = {
    type: ['string', 'array'],
    items: { type: ['string', 'object'] },
    description: 'Combinations to leave out, by the values of some lists.',
  };
  return {
    type: ['string', 'array', 'object'],
    description: 'A list or mapping: the step runs once for each member.',
    properties: {
      matrix: { description: matrix.description },
      exclude: { description: exclude.description },
    },
    dependencies: { matrix: { properties: { matrix, exclude }, additionalProperties: false } },
  };
}

/** The treatment of later steps after the failure of a step, or of its items. */
export function failures(): Properties {
  return {
    'on-error': {
      enum: [...onErrorWords],
      description:
        'What happens to later steps after a refusal; partial: a for-each continues with the items that succeeded.',
    },
    'max-failures': {
      type: 'integer',
      minimum: 1,
      description: 'Failed items of a for-each after which no other item starts.',
    },
  };
}
