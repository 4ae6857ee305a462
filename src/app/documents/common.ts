/** JSON Schemas shared by several commands. */
import { exactly, list, optional, record, text, type Infer } from '../../exchange/api/schema.ts';
import { exitCode } from '../../engine/journal/outcome.ts';
import { count, destinationSchema } from '../../engine/journal/shared-schema.ts';

/** The version of every printed object; a new field does not change it. */
export const one = exactly(1);

export const otherAccounts = optional(
  list(destinationSchema, { description: 'Other accounts that steps name' }),
);

/** A location in a file; lines and columns start at 1. */
export const place = { line: count, column: count };

export const errorInWords = record({
  code: text({ description: 'A topic of `explain`' }),
  message: text(),
  hint: optional(text({ description: 'What to do' })),
});

/** The schema of an error as JSON, for `-o json`. */
export const errorOutput = record(
  { version: one, error: errorInWords, exit: exitCode },
  { description: 'Printed instead if the command fails' },
);

export type ErrorReport = Infer<typeof errorOutput>;
