/** JSON output of the run commands. */
import {
  choice,
  list,
  oneOf,
  optional,
  record,
  text,
  truth,
  type Infer,
  type Schema,
} from '../../exchange/api/schema.ts';
import { exitCode } from '../../engine/journal/outcome.ts';
import { entrySchema } from '../../engine/journal/entry-schema.ts';
import { setAsideSchema } from '../../engine/journal/set-aside.ts';
import {
  accountText,
  count,
  destinationSchema,
  millis,
  targets,
} from '../../engine/journal/shared-schema.ts';
import { damage } from '../running/damaged.ts';
import type { NamedEntry } from '../../report/named-entry.ts';
import { one, otherAccounts } from './common.ts';
import { diffParts } from '../../report/run-diff.ts';
import { runStatuses } from '../../report/run-status.ts';

const lock = record({
  name: text(),
  holder: optional(text()),
  pid: optional(count),
  host: optional(text()),
  state: choice(['alive', 'dead', 'unknown', 'damaged']),
  because: optional(text()),
});

export const runsListOutput = record({
  version: one,
  runs: list(
    record({
      run: text(),
      playbook: text(),
      destination: destinationSchema,
      accounts: otherAccounts,
      createdAt: millis('When'),
      status: choice(runStatuses),
      because: optional(text({ description: 'What is wrong with a damaged record' })),
      setAside: optional(text({ description: 'Who set it aside, when and why' })),
      asks: optional(list(text(), { description: 'Steps that wait for an approval' })),
    }),
  ),
  unnamed: list(record({ run: text(), because: text() })),
  setAside: list(setAsideSchema),
  locks: list(lock),
});

/** An entry of a journal that names its account. */
export const namedEntry: Schema<NamedEntry> = {
  json: { allOf: [entrySchema.json], properties: { account: accountText.json } },
};

/** The output of `runs show`: the entries of a run, or the readable part of a damaged journal. */
export const runsShowOutput = oneOf(
  record({ version: one, entries: list(namedEntry) }),
  record({ version: one, damage, exit: exitCode }),
);

const comparedRun = record({
  run: text(),
  playbook: text(),
  target: choice(targets),
  status: choice(runStatuses),
  headline: text(),
  startedAt: millis('When'),
  tookMs: count,
  requests: count,
  notFinal: optional(text({ description: 'Why the comparison may change: in progress, in doubt' })),
});

export const runsDiffOutput = record({
  version: one,
  isSame: { ...truth, json: { ...truth.json, description: 'Whether only times differ' } },
  runs: list(comparedRun, { description: 'Both runs, in the order of the arguments' }),
  differences: list(
    record({
      part: choice(diffParts),
      what: text({ description: 'The value: an input, a step, an order with its field, a file' }),
      was: optional(text({ description: 'In the first run; absent if it is not there' })),
      is: optional(text({ description: 'In the second run; absent if it is not there' })),
    }),
  ),
  durations: list(record({ step: text(), was: optional(count), is: optional(count) }), {
    description: 'Milliseconds of each step in both runs',
  }),
});

export const runsFilesOutput = record({
  version: one,
  run: text(),
  files: list(
    record({
      path: text(),
      bytes: count,
      sha256: text(),
      where: choice(['here', 'store', 'elsewhere', 'missing']),
      host: optional(text({ description: 'Name of the machine that has it' })),
      folder: optional(text({ description: 'Its folder there' })),
      because: optional(text({ description: 'Why it is not in the store, or not here' })),
      fetched: optional(choice(['placed', 'same', 'failed'], { description: 'With --into' })),
    }),
  ),
});

export const runsOutputsOutput = record({
  version: one,
  run: text(),
  status: text({ description: 'done, stopped, doubt, interrupted, unfinished' }),
  outputs: {
    json: {
      type: 'object',
      description: 'Values by name; of a nested playbook by address: desks[a].total',
    },
  } satisfies Schema<Readonly<Record<string, unknown>>>,
});

export const runsVerifyOutput = record({
  version: one,
  run: text(),
  isWhole: truth,
  entries: count,
  files: count,
  findings: list(record({ line: count, message: text() })),
});

const pruned = { run: text(), playbook: text(), createdAt: millis('When') };

export const runsPruneOutput = record({
  version: one,
  isDone: { ...truth, json: { ...truth.json, description: 'Without --yes nothing is removed' } },
  removed: list(record(pruned)),
  kept: list(record({ ...pruned, because: text() })),
  outdated: optional(
    record({ plans: count, jobs: count }, { description: 'Also removed from a shared state' }),
  ),
});

export const runsReplayOutput = record({
  version: one,
  run: text(),
  recordedBy: text(),
  playedBy: text(),
  isSame: truth,
  differences: list(record({ at: text(), was: text(), is: text() })),
});

export const serveLogOutput = record({
  version: one,
  writes: list(
    record({
      at: millis('When'),
      who: text(),
      from: text({ description: 'Address and browser' }),
      what: text(),
      status: optional(count),
      result: optional(text({ description: 'Why it was refused' })),
    }),
  ),
  damaged: count,
});
export type ServeLogOutput = Infer<typeof serveLogOutput>;

export type RunsListOutput = Infer<typeof runsListOutput>;
export type RunsShowOutput = Infer<typeof runsShowOutput>;
export type RunsDiffOutput = Infer<typeof runsDiffOutput>;
export type RunsFilesOutput = Infer<typeof runsFilesOutput>;
export type RunsOutputsOutput = Infer<typeof runsOutputsOutput>;
export type RunsVerifyOutput = Infer<typeof runsVerifyOutput>;
export type RunsPruneOutput = Infer<typeof runsPruneOutput>;
export type RunsReplayOutput = Infer<typeof runsReplayOutput>;
export type LockOutput = Infer<typeof lock>;
