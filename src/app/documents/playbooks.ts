/** JSON output of the playbook commands. */
import {
  choice,
  list,
  optional,
  record,
  text,
  truth,
  type Infer,
} from '../../exchange/api/schema.ts';
import { faultNames } from '../../rehearsal/simulation/faults.ts';
import { one, place } from './common.ts';
import { count } from '../../engine/journal/shared-schema.ts';

export const initOutput = record({
  version: one,
  folder: text(),
  written: list(text(), { description: 'Files, relative to the folder' }),
  kept: list(text(), { description: 'Existing files that were not changed' }),
  playbook: text({ description: 'The playbook to start with' }),
});

const problemFiles = list(
  record({
    file: text(),
    problems: list(
      record({
        code: text(),
        level: choice(['error', 'warning']),
        message: text(),
        hint: optional(text()),
        ...place,
        endLine: count,
        endColumn: count,
      }),
    ),
  }),
);

export const validateOutput = record({
  version: one,
  files: problemFiles,
  skipped: optional(
    list(record({ file: text(), because: text() }), {
      description: 'YAML files of other tools, if no file was named',
    }),
  ),
});

export const graphOutput = record({
  version: one,
  playbook: text(),
  steps: list(
    record({
      id: text(),
      group: choice(['steps', 'on-failure', 'finally']),
      uses: text(),
      needs: list(text(), { description: 'Steps that it names in `needs`' }),
      follows: list(text(), { description: 'Steps that it waits for by the order of the file' }),
    }),
  ),
});

const verdicts = { passed: count, failed: count, broken: count };

export const testOutput = record({
  version: one,
  ...verdicts,
  files: list(
    record({
      file: text(),
      problems: optional(validateOutput),
      tests: list(
        record({
          name: text(),
          line: count,
          verdict: choice(['passed', 'failed', 'broken']),
          tookMs: count,
          broken: optional(record({ ...place, message: text() })),
          differences: list(record({ what: text(), ...place, expected: text(), got: text() })),
        }),
      ),
    }),
  ),
});

export const rehearseOutput = record({
  version: one,
  file: text(),
  faults: list(choice(faultNames)),
  seeds: count,
  done: count,
  stopped: count,
  inDoubt: count,
  unfinished: count,
  resumes: count,
  deaths: count,
  faultsStruck: count,
  orders: count,
  placedTwice: count,
  lost: count,
  untold: count,
  bad: list(
    record({
      seed: count,
      wrong: list(text()),
      command: text({ description: 'Command that reproduces this seed' }),
    }),
  ),
});

export const verifyOutput = record({
  version: one,
  isWhole: truth,
  files: list(
    record({
      file: text(),
      isWhole: truth,
      findings: list(text()),
      unchecked: list(text({ description: 'What could not be checked' })),
      manifest: optional({
        json: { type: 'object', description: 'manifest.schema.json, where it can be read' },
      }),
    }),
  ),
});

export type InitOutput = Infer<typeof initOutput>;
export type ValidateOutput = Infer<typeof validateOutput>;
export type GraphOutput = Infer<typeof graphOutput>;
export type TestOutput = Infer<typeof testOutput>;
export type RehearseOutput = Infer<typeof rehearseOutput>;
export type VerifyOutput = Infer<typeof verifyOutput>;
