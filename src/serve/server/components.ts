/** Schemas that refer to themselves or have several places, by their names in the OpenAPI document. */
import type { JsonSchema } from '../../exchange/api/schema.ts';
import { wholeProgress } from './progress/progress.ts';
import { wholeFailure, wholeTable } from './shapes.ts';

export const components: Readonly<Record<string, JsonSchema>> = {
  Failure: wholeFailure.json,
  Table: wholeTable.json,
  Progress: wholeProgress.json,
  Inline: {
    description: 'Text with marks; the parts of a list follow each other',
    anyOf: [
      { type: 'string' },
      { type: 'array', items: { $ref: '#/components/schemas/Inline' } },
      marked('code', { type: 'string' }),
      marked('digest', { type: 'string' }),
      marked('time', { type: 'integer', description: 'Unix milliseconds' }),
      marked('state', { type: 'string' }),
      marked('strong', { $ref: '#/components/schemas/Inline' }),
      marked('dim', { $ref: '#/components/schemas/Inline' }),
      marked('lines', { type: 'array', items: { $ref: '#/components/schemas/Inline' } }),
    ],
  },
};

function marked(name: string, of: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { [name]: of },
    required: [name],
    additionalProperties: false,
  };
}
