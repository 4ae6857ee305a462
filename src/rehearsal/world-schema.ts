/** The world of a playbook test as JSON Schema. */
import { plainJson } from '../base/json.ts';
import {
  choice,
  integer,
  list,
  optional,
  record,
  text,
  type JsonSchema,
  type Schema,
} from '../contract/schema.ts';
import { scenario } from '../sandbox/scenario/schema.ts';
import { closed } from '../sandbox/scenario/words.ts';
import { sandboxRoles } from '../sandbox/world/accounts.ts';

/** A map whose keys a person chooses. */
export const mapOf = (description: string, values: JsonSchema = {}): Schema<unknown> => ({
  json: { type: 'object', description, additionalProperties: values },
});

/** Text that YAML may hold as a number. */
export const amount = (description: string): Schema<unknown> => ({
  json: { type: ['string', 'number'], description },
});

/** Requests of the control interface that a scenario has no part for, by path. */
const commands = {
  'accounts/mode': mapOf('Sets the position mode: uid, positionMode'),
  'orders/cancel': mapOf('Cancels one order by orderId, or all of uid'),
  'clock/advance': mapOf('Lets time pass: ms'),
} as const;

const command = record(
  Object.fromEntries(Object.entries(commands).map(([path, schema]) => [path, optional(schema)])),
  { ...closed, description: 'One request of the control interface: its path, and its fields' },
);

/** A scenario without its version, and without faults: those of a test strike the run alone. */
const scenarioPart: JsonSchema = {
  type: 'object',
  description: 'What there is beside the usual world, in the words of a scenario file',
  additionalProperties: false,
  properties: plainJson(
    Object.fromEntries(
      Object.entries(Object(scenario.json['properties'])).filter(
        ([part]) => !['version', 'description', 'faults'].includes(part),
      ),
    ),
  ),
};

/**
 * What is done before a playbook runs, and where it runs.
 * @param details whether the scenario's parts are described; its own reader checks them
 */
export function worldSchema(details: boolean): Schema<unknown> {
  return record(
    {
      seed: optional(
        integer({ minimum: 0, description: 'Another seed is another world; 1 when absent' }),
      ),
      time: optional(
        text({
          pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$',
          patternErrorMessage: 'must be a moment such as 2026-01-31T08:00:00Z',
          description: 'The moment it begins, as 2026-01-31T08:00:00Z',
        }),
      ),
      account: optional(
        choice(sandboxRoles, {
          description: 'Whose key the playbook runs with; hedge when absent',
        }),
      ),
      accounts: optional(
        mapOf('Whose keys stand behind the other profiles that steps name, as { mirror: oneway }', {
          type: 'string',
          enum: sandboxRoles,
        }),
      ),
      'on-doubt': optional(
        choice(['ask', 'resend'], {
          description:
            'What happens to an order that cannot be found: ask as on a live account, or resend',
        }),
      ),
      scenario: optional({ json: details ? scenarioPart : { type: 'object' } }),
      commands: optional(list(command, { description: 'What is done to it then, in order' })),
    },
    { ...closed, description: 'The sandbox the playbook meets' },
  );
}
