import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/peers/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: ['test/support/scratch-root.ts', 'test/cli/built.ts'],
    setupFiles: ['test/support/scratch.ts', 'test/support/seed.ts'],
    testTimeout: 60_000,
    // Its JSON is imported in a way that Node 20 does not know.
    server: { deps: { inline: [/@actions\/workflow-parser/] } },
  },
});
