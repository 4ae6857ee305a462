import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/peers/**', 'node_modules/**'],
    maxWorkers: '100%', // half of two cores would stand still
    testTimeout: 20_000,
    reporters: ['default'],
  },
});
