import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/restate/**/*.test.ts'],
    globalSetup: ['test/support/scratch-root.ts', 'test/cli/built.ts'],
    setupFiles: ['test/support/scratch.ts', 'test/support/seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
