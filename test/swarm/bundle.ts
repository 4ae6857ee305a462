/** The swarm as one file for its own process, sound or with a defect planted in our sources. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Mutant } from './mutant.ts';

const root = join(import.meta.dirname, '..', '..');

export interface Bundles {
  /** @throws Error when the place of the defect is not there exactly once */
  make(mutant?: Mutant): Promise<string>;
  close(): Promise<void>;
}

/** Bundles lie next to the packages, which they import. */
export async function openBundles(): Promise<Bundles> {
  const folder = await mkdtemp(join(root, 'node_modules', '.swarm-'));
  let made = 0;
  return {
    make: async (mutant) => {
      made += 1;
      const outfile = join(folder, `${made}.mjs`);
      let planted = 0;
      const plant = (): void => {
        planted += 1;
      };
      await build({
        absWorkingDir: root,
        entryPoints: ['test/swarm/worker.ts'],
        outfile,
        bundle: true,
        format: 'esm',
        platform: 'node',
        packages: 'external',
        logLevel: 'error',
        plugins: [cheapening, ...(mutant === undefined ? [] : [planting(mutant, plant)])],
      });
      if (mutant === undefined || planted === 1) return outfile;
      throw new Error(`${mutant.name}: stands ${planted} times in ${mutant.file}`);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * What seeds do again and again is done once, and the files of a pace lie in memory: by the module
 * that asks, and what it asks for.
 */
const cheaper = [
  { by: 'app/planning/playbooks', asks: /language\/load/, gets: 'memo' },
  { by: 'app/config/parse', asks: /language\/source/, gets: 'memo' },
  { by: 'sandbox/world/markets', asks: /walk/, gets: 'memo' },
  { by: 'exchange/client/shared-pace', asks: /^node:fs$/, gets: 'fleet/pace-files' },
] as const;

const cheapening: Plugin = {
  name: 'cheaper',
  setup: (plugin) => {
    const unused = new Set(cheaper.map(({ by }) => by));
    plugin.onResolve({ filter: /^node:fs$|\/(load|source|walk)\.ts$/ }, ({ path, importer }) => {
      const found = cheaper.find(
        ({ by, asks }) => importer === join(root, 'src', `${by}.ts`) && asks.test(path),
      );
      if (found === undefined) return undefined;
      unused.delete(found.by);
      return { path: join(root, 'test', 'swarm', `${found.gets}.ts`) };
    });
    plugin.onEnd(() => {
      if (unused.size > 0) throw new Error(`not made cheaper: ${[...unused].join(', ')}`);
    });
  },
};

function planting({ file, from, to }: Mutant, plant: () => void): Plugin {
  return {
    name: 'plant',
    setup: (plugin) => {
      const filter = new RegExp(`/${file.replaceAll('.', '\\.')}$`);
      plugin.onLoad({ filter }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        for (let places = text.split(from).length; places > 1; places--) plant();
        return { contents: text.replace(from, () => to), loader: 'ts' };
      });
    },
  };
}
