/** The journal's record of how a response deviates from the interface. */
import { cameKinds } from '../../exchange/api/deviation.ts';
import { choice, integer, list, record, text } from '../../exchange/api/schema.ts';

export const deviationFields = {
  field: text({ description: 'Field of the response, as list[].createdTime' }),
  came: choice(cameKinds, { description: 'What came in place of the declared value' }),
  count: integer({ minimum: 1, description: 'How often' }),
};

export const deviations = list(record(deviationFields), {
  description: 'How the response deviates from the interface',
});
