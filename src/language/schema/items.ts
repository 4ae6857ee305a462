/** The schema of the keys of a step that decide about its items and their failures. */
import type { JsonSchema } from '../../exchange/api/schema.ts';
import { onErrorWords } from '../playbook.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

/** What the failure of a step, or of its items, means for what follows. */
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
