import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/peers/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: ['test/support/scratch-root.ts', 'test/cli/built.ts'],
    setupFiles: ['test/support/scratch.ts', 'test/support/seed.ts'],
    testTimeout: 60_000,
    // Its JSON import is not supported by Node 20.
    server: { deps: { inline: [/@actions\/workflow-parser/] } },
  },
});
