import { defineConfig } from 'vitest/config';
import { limits } from '../support/limits.ts';

export default defineConfig({
  test: {
    include: ['test/peers/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: ['test/support/scratch-root.ts', 'test/cli/built.ts'],
    setupFiles: ['test/support/scratch.ts', 'test/support/seed.ts'],
    maxWorkers: 2, // one of them waits for a browser or a process
    ...limits,
    // Its JSON import is not supported by Node 20.
    server: { deps: { inline: [/@actions\/workflow-parser/] } },
  },
});
