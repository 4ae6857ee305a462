import { defineConfig } from 'vitest/config';
import { limits } from '../support/limits.ts';

export default defineConfig({
  test: {
    include: ['test/restate/**/*.test.ts'],
    globalSetup: ['test/support/scratch-root.ts', 'test/cli/built.ts'],
    setupFiles: ['test/support/scratch.ts', 'test/support/seed.ts'],
    maxWorkers: 3, // they mostly wait for leases
    ...limits,
  },
});
