/** The JSON of the commands about accounts, the exchange and the sandbox. */
import { deviationFields } from '../../engine/journal/deviations.ts';
import {
  anything,
  choice,
  described,
  list,
  named,
  oneOf,
  optional,
  record,
  text,
  truth,
  type Infer,
  type Schema,
} from '../../exchange/api/schema.ts';
import { exitCode } from '../../engine/journal/outcome.ts';
import { count, millis, operationName, targets } from '../../engine/journal/shared-schema.ts';
import { builtIns } from '../../language/playbook.ts';
import { finding } from '../doctor/finding.ts';
import { one } from './common.ts';

/** The output of `call`: the response, or with `--dry-run` the request. */
export const callOutput = oneOf(
  record({
    version: one,
    operation: operationName,
    range: optional(
      described(
        'The time range that the rows of all pages cover; all bounds are included',
        record({
          from: millis('First moment'),
          to: millis('Last moment'),
          asked: optional(
            described(
              'The requested range, if it was not available completely',
              record({ from: millis('First moment'), to: millis('Last moment') }),
            ),
          ),
        }),
      ),
    ),
    deviations: optional(
      list(record({ operation: operationName, ...deviationFields }), {
        description: 'With --strict: how responses deviate from the interface',
      }),
    ),
    answer: anything,
  }),
  record({
    version: one,
    operation: operationName,
    effect: choice(['read', 'set', 'keyed', 'once']),
    method: choice(['GET', 'POST']),
    path: text(),
    profile: text(),
    target: choice(targets),
    host: text(),
    input: named(anything),
  }),
);

export const keysListOutput = record({
  version: one,
  keys: list(
    record({
      key: text({ description: 'First 8 hex digits of the key’s sha256' }),
      host: text(),
      target: choice(targets),
      accountIds: list(text()),
      profiles: list(text()),
      runs: count,
      last: text({ description: 'The newest run' }),
    }),
  ),
});

export const doctorOutput = record({ version: one, findings: list(finding), exit: exitCode });

/** The page of one topic; its fields depend on the topic. */
const page: Schema<object> = { json: { type: 'object' } };

/** The output of `explain`: a topic, or the list of topics. */
export const explainOutput = oneOf(
  record({
    version: one,
    operations: list(operationName, { description: 'Those of the interface, in its order' }),
    companions: list(operationName, {
      description: 'Those that complete both account families',
    }),
    builtIns: list(text()),
    subjects: list(text()),
    rules: list(record({ code: text(), title: text() })),
    helpers: list(record({ name: text(), usage: text() })),
    errors: list(text()),
  }),
  record({ version: one, kind: choice(['operation']), name: operationName, operation: page }),
  record({ version: one, kind: choice(['built-in']), name: choice(builtIns), with: page }),
  record({
    version: one,
    kind: choice(['subject']),
    name: text(),
    title: text(),
    description: list(text()),
    rows: list(list(text())),
  }),
  record({ version: one, kind: choice(['rule']), rule: page }),
  record({ version: one, kind: choice(['helper']), helper: page }),
  record({ version: one, kind: choice(['answer']), row: page }),
  record({ version: one, kind: choice(['error']), name: text(), explanation: text() }),
);

export const sandboxStartOutput = record({
  version: one,
  baseUrl: text(),
  controlUrl: text(),
  accounts: named(record({ uid: text(), apiKey: text(), secretKey: text(), passphrase: text() })),
});

/** The exchange that a command of the sandbox acted on. */
const actedOn = record({
  profile: text(),
  host: optional(text({ description: 'Its address; absent for the sandbox of this folder' })),
});
export type ActedOn = Infer<typeof actedOn>;

export const sandboxResetOutput = record({
  version: one,
  exchange: actedOn,
  isRunning: truth,
  kept: optional(text({ description: 'Where the previous, unreadable world is kept' })),
});

export const sandboxAdvanceOutput = record({
  version: one,
  exchange: actedOn,
  now: millis('The clock after the command'),
});

export const sandboxLoadOutput = record({ version: one, exchange: actedOn, loaded: text() });

export const sandboxControlOutput = record({
  version: one,
  exchange: optional(actedOn),
  path: optional(text()),
  answer: optional(anything),
  routes: optional(
    list(
      record({
        path: text(),
        method: choice(['GET', 'POST', 'PUT']),
        fields: list(
          record({
            name: text(),
            type: text(),
            isRequired: truth,
            description: optional(text()),
          }),
        ),
      }),
      { description: 'With --list, instead of the others: every path, its methods and fields' },
    ),
  ),
});

export const versionOutput = record({
  version: one,
  deskhand: text({ description: 'The version of this program' }),
  node: text(),
  platform: text({ description: 'As Node names it: linux, darwin, win32' }),
  arch: text(),
  commit: optional(
    text({ description: 'The commit it was built from, if known; -dirty: with changes' }),
  ),
});

export type VersionOutput = Infer<typeof versionOutput>;
export type KeysListOutput = Infer<typeof keysListOutput>;
export type DoctorOutput = Infer<typeof doctorOutput>;
export type ExplainOutput = Infer<typeof explainOutput>;
export type SandboxStartOutput = Infer<typeof sandboxStartOutput>;
export type SandboxControlOutput = Infer<typeof sandboxControlOutput>;
export type SandboxResetOutput = Infer<typeof sandboxResetOutput>;
export type SandboxAdvanceOutput = Infer<typeof sandboxAdvanceOutput>;
export type SandboxLoadOutput = Infer<typeof sandboxLoadOutput>;
