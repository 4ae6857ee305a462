/** JSON Schemas shared by several commands. */
import {
  exactly,
  integer,
  list,
  optional,
  record,
  text,
  type Schema,
} from '../../exchange/api/schema.ts';
import { exitCode } from '../../engine/journal/outcome.ts';
import { destinationSchema } from '../../engine/journal/shared-schema.ts';
import type { ExitCode } from '../../base/error.ts';

/** The version of every printed object; a new field does not change it. */
export const one = exactly(1);

export const count = integer({ minimum: 0 });

/** The account of a line, described in the same words in plans, runs, drift and reports. */
export const accountText = text({ description: 'Profile of its account, in a run with several' });

export const otherAccounts = optional(
  list(destinationSchema, { description: 'Other accounts that steps name' }),
);

/** A location in a file; lines and columns start at 1. */
export const place = { line: count, column: count };

/** An error as JSON, for `-o json`. */
export interface ErrorReport {
  readonly version: 1;
  readonly error: { readonly code: string; readonly message: string; readonly hint?: string };
  readonly exit: ExitCode;
}

export const errorOutput: Schema<ErrorReport> = record(
  {
    version: one,
    error: record({
      code: text({ description: 'A topic of `explain`' }),
      message: text(),
      hint: optional(text({ description: 'What to do' })),
    }),
    exit: exitCode,
  },
  { description: 'Printed instead if the command fails' },
);
