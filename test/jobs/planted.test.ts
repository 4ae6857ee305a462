/** A relation that finds no planted defect proves nothing: each defect is found, and nothing is wrong without it. */
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTried } from '../support/share.ts';
import type { Mutant } from '../swarm/mutant.ts';
import { plantedDefects } from './planted.ts';
import { timeFor } from './share.ts';
import { wrongIn } from './worker.ts';

const root = join(import.meta.dirname, '..', '..');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(root, 'node_modules', '.jobs-')); // next to the packages
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The same function, over sources with a defect. */
async function withDefect({ name, file, from, to }: Mutant): Promise<typeof wrongIn> {
  const outfile = join(folder, `${name.replaceAll(/\W+/g, '-')}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: ['test/jobs/worker.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'plant',
        setup: (plugin) =>
          plugin.onLoad(
            { filter: new RegExp(`/${file.replaceAll('.', '\\.')}$`) },
            async ({ path }) => ({
              contents: (await readFile(path, 'utf8')).replace(from, () => to),
              loader: 'ts',
            }),
          ),
      },
    ],
  });
  const loaded: { readonly wrongIn: typeof wrongIn } = await import(pathToFileURL(outfile).href);
  return loaded.wrongIn;
}

test.each(plantedDefects)(
  'the source of "$mutant.name" is there once',
  ({ mutant: { file, from } }) => {
    expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2);
  },
);

const tried = plantedDefects.filter((_, place) => isTried(place + 2, 6));

test.each(tried)(
  '$relation finds "$mutant.name"',
  async ({ mutant, relation, example }) => {
    expect(await wrongIn(relation, example)).toEqual([]);
    const broken = await withDefect(mutant);
    expect(await broken(relation, example)).not.toEqual([]);
  },
  timeFor,
);

test('every relation has a planted defect', () => {
  expect(plantedDefects.length).toBeGreaterThanOrEqual(12);
  const found = new Set(plantedDefects.map(({ relation }) => relation));
  expect([...found].toSorted()).toEqual([
    'again',
    'answers',
    'changed',
    'elsewhere',
    'language',
    'next',
    'once',
    'plan',
    'resume',
  ]);
});
