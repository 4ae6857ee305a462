/** Vitest for one file of tests, over our sources with a defect planted: `PLANTED` is its name. */
import { join } from 'node:path';
import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { mutants } from './mutants.ts';

const root = join(import.meta.dirname, '..', '..');
const planted = mutants.find(({ name }) => name === process.env['PLANTED']);
if (planted === undefined) throw new Error('PLANTED must be the name of a defect');
const { file, from, to, test = '' } = planted;

export default defineConfig({
  root,
  plugins: [
    {
      name: 'plant',
      enforce: 'pre',
      transform: (text: string, path: string) =>
        path === join(root, file) ? text.replace(from, () => to) : undefined,
    },
  ],
  test: {
    include: [test],
    globalSetup: ['test/support/scratch-root.ts'],
    setupFiles: ['test/support/scratch.ts', 'test/support/seed.ts'],
    testTimeout: 60_000,
    bail: 1,
    reporters: ['dot'],
  },
});
