import { defineConfig } from 'vitest/config';
import { limits } from '../support/limits.ts';
import { LongestFirst } from '../support/sequence.ts';

export default defineConfig({
  test: {
    include: ['test/postgres/**/*.test.ts'],
    globalSetup: ['test/support/scratch-root.ts', 'test/cli/built.ts'],
    setupFiles: ['test/support/scratch.ts', 'test/support/seed.ts'],
    maxWorkers: 4, // they mostly wait for leases
    sequence: { sequencer: LongestFirst },
    ...limits,
  },
});
