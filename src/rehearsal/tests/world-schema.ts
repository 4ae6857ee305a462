/** The world of a playbook test as JSON Schema. */
import { plainJson } from '../../base/json.ts';
import {
  choice,
  integer,
  list,
  optional,
  record,
  text,
  type JsonSchema,
  type Schema,
} from '../../exchange/api/schema.ts';
import { writtenScenario } from '../../sandbox/scenario/written.ts';
import { closed } from '../../sandbox/scenario/words.ts';
import { sandboxRoles } from '../../sandbox/world/initial-accounts.ts';
import { answerWords } from '../scripted-answers.ts';

/** The schema of a map with free keys. */
export const mapOf = (description: string, values: JsonSchema = {}): Schema<unknown> => ({
  json: { type: 'object', description, additionalProperties: values },
});

/** The schema of a text that YAML may write as a number. */
export const amount = (description: string): Schema<unknown> => ({
  json: { type: ['string', 'number'], description },
});

/** Requests of the control interface that are not part of a scenario, by path. */
const commands = {
  'accounts/mode': mapOf('Sets the position mode: uid, positionMode'),
  'orders/cancel': mapOf('Cancels one order by orderId, or all of uid'),
  'clock/advance': mapOf('Advances the clock: ms'),
} as const;

const command = record(
  Object.fromEntries(Object.entries(commands).map(([path, schema]) => [path, optional(schema)])),
  { ...closed, description: 'One request of the control interface: its path, and its fields' },
);

/**
 * The schema of a scenario without its version, and without faults: those of a test apply only to the run.
 */
const scenarioPart: JsonSchema = {
  type: 'object',
  description: 'Additions to the default world, in the format of a scenario file',
  additionalProperties: false,
  properties: plainJson(
    Object.fromEntries(
      Object.entries(Object(writtenScenario['properties'])).filter(
        ([part]) => !['version', 'description', 'faults'].includes(part),
      ),
    ),
  ),
};

/**
 * The schema of the setup before a playbook runs, and of its sandbox.
 * @param details whether the parts of the scenario are described; a separate reader validates them
 */
export function worldSchema(details: boolean): Schema<unknown> {
  return record(
    {
      seed: optional(integer({ minimum: 0, description: 'Seed of the world (default 1)' })),
      time: optional(
        text({
          pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$',
          patternErrorMessage: 'must be a moment such as 2026-01-31T08:00:00Z',
          description: 'Start time such as 2026-01-31T08:00:00Z',
        }),
      ),
      account: optional(
        choice(sandboxRoles, {
          description: 'Account of the playbook (default hedge)',
        }),
      ),
      accounts: optional(
        mapOf('Accounts of other profiles that steps name, such as { mirror: oneway }', {
          type: 'string',
          enum: sandboxRoles,
        }),
      ),
      'on-doubt': optional(
        choice(['ask', 'resend'], {
          description:
            'What to do with an order that cannot be found: ask as on a live account, or resend',
        }),
      ),
      programs: optional(
        mapOf('What programs print, by their name; none is started (default nothing)', {
          type: 'string',
        }),
      ),
      answers: optional(
        mapOf(
          'How approve steps are answered, by address; none: their time ends (default approve)',
          {
            type: 'string',
            enum: answerWords,
          },
        ),
      ),
      scenario: optional({ json: details ? scenarioPart : { type: 'object' } }),
      commands: optional(list(command, { description: 'Control requests, in order' })),
    },
    { ...closed, description: 'The sandbox of the playbook' },
  );
}
