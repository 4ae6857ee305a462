/** The shape of deskhand.yaml, for editors; `parse.ts` is what reads it. */
import { operationNames, operationOf } from '../contract/operations/index.ts';
import {
  choice,
  described,
  either,
  integer,
  list,
  optional,
  record,
  text,
  type JsonSchema,
  type Schema,
} from '../contract/schema.ts';
import { sandboxRoles } from '../sandbox/world/accounts.ts';
import { stores } from './state.ts';

const closed = { additionalProperties: false };
/** A decimal, which YAML may hold as a number. */
const amount = (description: string): Schema<unknown> => ({
  json: { type: ['number', 'string'], description },
});

const secrets = record(
  {
    env: optional(text({ description: 'Prefix of the variables: MAIN for MAIN_API_KEY' })),
    file: optional(
      text({ description: 'File of NAME=value lines, mode 0600; from this folder, or from ~/' }),
    ),
    exec: optional(
      described(
        'Program that prints NAME=value lines; through no shell, in this folder',
        either(text(), list(text())),
      ),
    ),
  },
  { ...closed, minProperties: 1, maxProperties: 1 },
);

/** Operations that change something. */
const writing = operationNames.filter((name) => operationOf(name).effect !== 'read');

/** The shape of a file of guards, too. */
export const guards = record(
  {
    writes: optional(integer({ minimum: 0, description: 'Most writes of a run' })),
    notional: optional(amount('Most all orders of a run may be worth')),
    order: optional(amount('Most one order may be worth')),
    distance: optional(amount('Largest distance from the mark price: 5%, or 0.05')),
    leverage: optional(integer({ minimum: 1, description: 'Largest leverage' })),
    symbols: optional(list(text(), { description: 'The only symbols orders may be for' })),
    operations: optional(
      list(choice(writing), { description: 'The only operations that may write' }),
    ),
    accounts: optional(
      list(text(), { description: 'The only profiles, or fingerprints of keys, to write with' }),
    ),
    hours: optional(
      described(
        'When writes may be sent: mon-fri 09:00-17:30 Europe/London',
        either(text(), list(text())),
      ),
    ),
  },
  closed,
);

const profile = record(
  {
    target: optional(choice(['sandbox', 'live'])),
    'base-url': optional(
      text({ description: 'Address of the exchange; https:// unless on this machine' }),
    ),
    as: optional(choice(sandboxRoles, { description: 'Account of the built-in sandbox' })),
    secrets: optional(described('Where the key is found; never the key itself', secrets)),
    guards: optional(
      described(
        'Limits on every playbook that runs here, or the file they stand in',
        either(text(), guards),
      ),
    ),
    approve: optional(
      record(
        {
          by: optional(
            choice(['other', 'anyone'], {
              description: 'other: nobody who wrote the playbook or made the plan',
            }),
          ),
          count: optional(integer({ minimum: 1, description: 'How many people' })),
          of: optional(list(text(), { description: 'Who may; all signers when absent' })),
          signers: text({ description: 'File of allowed signers, as Git and ssh-keygen read it' }),
          expires: optional(text({ description: 'How long an approval holds: 24h' })),
          records: optional(text({ description: 'Folder of the signed records' })),
        },
        closed,
      ),
    ),
    plan: optional(
      record(
        {
          expires: optional(text({ description: 'How long a plan may be run: 90s, 15m, 2h, 3d' })),
          move: optional(amount('How far a mark price may move under a plan: 1%, or 0.01')),
        },
        closed,
      ),
    ),
    allow: optional(
      record(
        {
          shell: optional(
            described(
              'Whether shell/run may start programs, or which',
              either({ json: { type: 'boolean' } }, list(text())),
            ),
          ),
        },
        closed,
      ),
    ),
    notify: optional(
      text({
        description:
          'Name of the secret that holds the address of a webhook, told when a scheduled run cannot begin',
      }),
    ),
    'on-doubt': optional(
      choice(['ask', 'resend'], { description: 'What happens to an order that cannot be found' }),
    ),
  },
  closed,
);

const profiles: JsonSchema = {
  type: 'object',
  description: 'Accounts by the names playbooks use',
  additionalProperties: { anyOf: [profile.json, { type: 'null' }] },
};

const state = record(
  {
    store: choice(stores, {
      description: 'local: the state folder; git: a ref of the repository',
    }),
    remote: optional(text({ description: 'Name of the remote; origin when absent' })),
    ref: optional(text({ description: 'refs/deskhand/state when absent' })),
    lease: optional(
      text({ description: 'How long a machine has an account without a sign of life: 5m' }),
    ),
    name: optional(text({ description: 'Who commits' })),
    email: optional(text({ description: 'The address of whoever commits' })),
  },
  closed,
);

export const configSchema = record(
  {
    profile: optional(text({ description: 'Profile of playbooks that name no account' })),
    profiles: optional({ json: profiles }),
    state: optional(described('Where locks and runs are kept', state)),
  },
  {
    ...closed,
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'deskhand.yaml',
  },
);
