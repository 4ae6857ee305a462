/** The steps and items of an earlier run whose results a run takes over: they are not executed, and nothing of them is sent. */
import {
  anything,
  choice,
  integer,
  list,
  optional,
  record,
  text,
  type Infer,
} from '../../exchange/api/schema.ts';
import { address } from './outcome.ts';
import { operationName } from './shared-schema.ts';

const result = record({
  key: optional(text()),
  status: choice(['done', 'skipped']),
  response: anything,
  outputs: anything,
  file: optional(text()),
  rows: optional(integer({ minimum: 0 })),
  files: optional(list(text())),
  manifest: optional(anything),
});

/** A write of a step on the exchange. It stays the write of the run that sent it. */
const writeOfRun = record({
  address,
  operation: operationName,
  account: optional(text({ description: 'Profile of its account, in a run with several' })),
});

const fileOfRun = record({
  file: text(),
  sha256: text(),
  rows: optional(integer({ minimum: 0, description: 'Absent for a page or a chart' })),
});

const step = record({
  id: text(),
  run: text({ description: 'The run that executed the step' }),
  status: choice(['done', 'skipped']),
  because: optional(text()),
  results: list(result, { description: 'The results of its items, as that run recorded them' }),
  writes: optional(list(writeOfRun, { description: 'What that run sent; it is not sent again' })),
  files: optional(list(fileOfRun, { description: 'Files that it wrote, which must be unchanged' })),
});

const item = record({
  step: text({ description: 'A step that is executed for its other items' }),
  key: text(),
  run: text({ description: 'The run that executed the item' }),
  response: anything,
  value: optional(
    text({ description: 'Digest of the value of an item that only its position identifies' }),
  ),
  input: optional(anything),
  writes: optional(list(writeOfRun, { description: 'What that run sent; it is not sent again' })),
  files: optional(list(fileOfRun, { description: 'Files that it wrote, which must be unchanged' })),
});

export const reusedSteps = record(
  {
    run: text({ description: 'The run that ended' }),
    from: list(text(), {
      description: 'Steps from which on everything is executed again, or items of steps',
    }),
    had: optional(
      list(text(), {
        description:
          'Items in `from` that the run had: each may be taken out of the playbook since',
      }),
    ),
    journal: text({ description: 'sha256 of the journal of that run' }),
    steps: list(step),
    items: optional(list(item, { description: 'Items of steps that are executed for the others' })),
    abandoned: optional(
      list(writeOfRun, {
        description: 'Orders and sub-accounts that a person abandoned elsewhere: each may exist',
      }),
    ),
    again: optional(
      list(writeOfRun, {
        description: 'What that run wrote elsewhere: it stays, and that is executed again',
      }),
    ),
  },
  { description: 'Steps whose results are those of an earlier run' },
);

/** The results of an earlier run that another run uses instead of executing the steps again. */
export type Reused = Infer<typeof reusedSteps>;

export type ReusedStep = Reused['steps'][number];

export type ReusedItem = NonNullable<Reused['items']>[number];
