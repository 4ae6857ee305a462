import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { limits } from './test/support/limits.ts';
import { LongestFirst } from './test/support/sequence.ts';

/** Tests that start the command line, for which it is built once. */
const asUsers = ['test/{cli,docs,app/embedding,pipelines,secrets,story}/**/*.test.ts'];

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, 'test/peers/**', 'test/postgres/**', 'test/restate/**'],
    maxWorkers: availableParallelism() + 1, // one of them waits for a process or a clock
    isolate: false, // to start a process and load the sources takes longer than most files
    sequence: { sequencer: LongestFirst },
    ...limits,
    reporters: ['default'],
    setupFiles: ['test/support/scratch.ts', 'test/support/seed.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'as a user',
          include: asUsers,
          globalSetup: ['test/support/scratch-root.ts', 'test/cli/built.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'inside',
          include: ['test/**/*.test.ts'],
          exclude: asUsers,
          globalSetup: ['test/support/scratch-root.ts'],
        },
      },
    ],
  },
});
