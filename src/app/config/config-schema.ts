/** The schema of deskhand.yaml, for editors; `parse.ts` reads the file. */
import { families } from '../../exchange/api/family.ts';
import { operationNames, operationOf } from '../../exchange/api/operations/index.ts';
import {
  choice,
  described,
  either,
  integer,
  list,
  optional,
  record,
  text,
  truth,
  type JsonSchema,
  type Schema,
} from '../../exchange/api/schema.ts';
import { itemsDefault, itemsHighest } from '../../language/expression/value.ts';
import { sandboxRoles } from '../../sandbox/world/initial-accounts.ts';
import { approvalRules } from './approval-schema.ts';
import { recipients } from './notify-schema.ts';
import { secret } from './secret-schema.ts';
import { numberGuardList, numberSchema } from '../../language/number-guards.ts';
import { serve } from './serve-schema.ts';
import { paces, stores } from './state.ts';

const closed = { additionalProperties: false };
/** A decimal, which YAML may write as a number. */
const amount = (description: string): Schema<unknown> => ({
  json: { type: ['number', 'string'], description },
});

/** A text that YAML may write as a number. */
const name = (description: string): Schema<unknown> => ({
  json: { type: ['string', 'number'], description },
});
const names: JsonSchema = { type: 'array', items: { type: ['string', 'number'] } };

const secrets = record(
  {
    env: optional(text({ description: 'Prefix of the variables: MAIN for MAIN_API_KEY' })),
    file: optional(
      text({
        description:
          'File of NAME=value lines, mode 0600; from this folder, or from ~/; others may read it, with a warning, and not change it',
      }),
    ),
    exec: optional(
      described(
        'Program that prints NAME=value lines; run without a shell, in this folder',
        either(text(), list(text())),
      ),
    ),
  },
  { ...closed, minProperties: 1, maxProperties: 1 },
);

/** The names of operations that write. */
const writing = operationNames.filter((name) => operationOf(name).effect !== 'read');

/** The schema of limits, also used for guard files. */
export const guards = record(
  {
    ...Object.fromEntries(
      numberGuardList.map((guard) => [
        guard.profileKey,
        optional<Schema<unknown>>({ json: numberSchema(guard) }),
      ]),
    ),
    symbols: optional(list(text(), { description: 'Symbols that may be traded' })),
    operations: optional(list(choice(writing), { description: 'Operations that may write' })),
    accounts: optional(
      list(text(), { description: 'Profiles, or fingerprints of keys, that may write' }),
    ),
    hours: optional(
      described(
        'Hours in which writes may be sent, by the exchange’s clock: mon-fri 09:00-17:30 Europe/London',
        either(text(), list(text())),
      ),
    ),
    doubts: optional(
      choice(['block', 'show'], {
        description:
          'Whether a write of another playbook in doubt on the account and symbol blocks a run (default: block on live)',
      }),
    ),
  },
  closed,
);

const profile = record(
  {
    target: optional(choice(['sandbox', 'live'])),
    family: optional(
      choice(families, {
        description:
          'Account family of the key: operations of the other are refused (default: both)',
      }),
    ),
    demo: optional(described('Whether the key is one of the exchange’s demo trading', truth)),
    'base-url': optional(
      text({ description: 'Address of the exchange; must be https:// except on this machine' }),
    ),
    proxy: optional(
      described(
        'HTTP proxy to the exchange and to receivers of notifications: an address without a login, the source of one with a login, or none; default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY',
        either(text(), secret),
      ),
    ),
    'account-id': optional(name('Permanent name of the account: its uid, or any text')),
    'former-keys': optional(
      described('Fingerprints of earlier keys of this account', { json: names }),
    ),
    'other-keys': optional(described('Fingerprints of keys of other accounts', { json: names })),
    'former-ids': optional(
      described('Earlier or mistaken account-ids of this account', { json: names }),
    ),
    as: optional(choice(sandboxRoles, { description: 'Account of the built-in sandbox' })),
    secrets: optional(described('Source of the key; never the key itself', secrets)),
    guards: optional(
      described(
        'Limits for every playbook on this profile, or a file with them',
        either(text(), guards),
      ),
    ),
    approve: optional(approvalRules),
    plan: optional(
      record(
        {
          expires: optional(text({ description: 'How long a plan is valid: 90s, 15m, 2h, 3d' })),
          move: optional(amount('How far a mark price may move after a plan: 1%, or 0.01')),
          items: optional(
            integer({
              minimum: itemsDefault,
              maximum: itemsHighest,
              description: `Maximum items of a for-each, and members of a range: ${itemsDefault} (default) to ${itemsHighest}; a run has at most twice as many items`,
            }),
          ),
        },
        closed,
      ),
    ),
    allow: optional(
      record(
        {
          shell: optional(
            described(
              'Programs that shell/run may start; true allows all',
              either({ json: { type: 'boolean' } }, list(text())),
            ),
          ),
        },
        closed,
      ),
    ),
    notify: optional(
      described(
        'Recipients of notifications, by kind; or the name of a secret with the address of one',
        either(text(), recipients),
      ),
    ),
    'on-doubt': optional(
      choice(['ask', 'resend'], {
        description:
          'What to do with an order that cannot be found: ask a person and send nothing again, or resend',
      }),
    ),
  },
  closed,
);

const profiles: JsonSchema = {
  type: 'object',
  description: 'Profiles by name',
  additionalProperties: { anyOf: [profile.json, { type: 'null' }] },
};

const state = record(
  {
    store: choice(stores, {
      description:
        'local: the state folder; git: a ref of the repository; postgres: a database; restate: a Restate server',
    }),
    remote: optional(text({ description: 'Name of the remote (default origin)' })),
    ref: optional(text({ description: 'Ref of the state (default refs/heads/deskhand-state)' })),
    root: optional(
      text({
        pattern: '^[0-9a-fA-F]{16}$',
        description: 'First line of the state, as `deskhand doctor` shows it; any other is refused',
      }),
    ),
    url: optional(described('Source of the address of the database', secret)),
    service: optional(
      text({
        description:
          'URL at which Restate reaches `deskhand store serve` (default http://127.0.0.1:9080)',
      }),
    ),
    admin: optional(
      text({ description: 'URL of the admin API of Restate (default: port 9070 of its host)' }),
    ),
    lease: optional(
      text({
        description: 'How long a claim is valid without renewal (default 5m; for a database 4s)',
      }),
    ),
    pace: optional(
      choice(paces, {
        description: 'own: each machine keeps rate limits; shared: machines keep them together',
      }),
    ),
    name: optional(text({ description: 'Author of the commits' })),
    email: optional(text({ description: 'E-mail address of the author' })),
  },
  closed,
);

const outputs = record(
  {
    keep: optional(
      choice(['store', 'workspace'], {
        description:
          'store: copied into the database of the state; workspace: only in the folder of the run (default; store for workers)',
      }),
    ),
    max: optional(
      text({
        pattern: '^[0-9]{1,7}(KiB|MiB|GiB)$',
        description: 'Largest file that is copied, up to 1GiB (default 64MiB)',
      }),
    ),
  },
  closed,
);

export const configSchema = record(
  {
    profile: optional(text({ description: 'Default profile, for playbooks without account' })),
    profiles: optional({ json: profiles }),
    state: optional(described('Where locks and runs are stored', state)),
    outputs: optional(described('Where files that runs write are kept', outputs)),
    serve: optional(described('Who may use the page of `deskhand serve`, and where', serve)),
  },
  {
    ...closed,
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'deskhand.yaml',
  },
);
