import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/peers/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 30_000,
  },
});
