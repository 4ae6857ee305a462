/**
 * The swarm: seeds by the thousand, each a playbook, its troubles and its deaths, judged by the
 * exchange's own books; then the same with a defect planted, until it is found.
 *
 *   npx tsx bench/swarm.ts [--seeds 10000] [--from 1] [--workers 2] [--mutants]
 */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { mutants, type Mutant } from '../test/swarm/mutants.ts';

const root = join(import.meta.dirname, '..');
const scratch = join(root, 'node_modules', '.deskhand-swarm');

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    mutants: { type: 'boolean', default: false },
  },
});
const [seeds, from, workers] = [values.seeds, values.from, values.workers].map(Number) as [
  number,
  number,
  number,
];

/** What a worker tells of a stretch of seeds. */
interface Told {
  readonly played: number;
  readonly lives: number;
  readonly doubts: number;
  readonly broken: readonly { readonly seed: number; readonly broken: readonly string[] }[];
}

/** The swarm as one file, with the defect in it. */
async function bundled(mutant?: Mutant): Promise<string> {
  const outfile = join(scratch, `${mutant?.name.replaceAll(/\W+/g, '-') ?? 'sound'}.mjs`);
  let planted = 0;
  await build({
    absWorkingDir: root,
    entryPoints: ['test/swarm/worker.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'plant',
        setup: (plugin) => {
          if (mutant === undefined) return;
          plugin.onLoad(
            { filter: new RegExp(`${mutant.file.replaceAll('.', '\\.')}$`) },
            async (args) => {
              const text = await readFile(args.path, 'utf8');
              planted += text.split(mutant.from).length - 1;
              return { contents: text.replace(mutant.from, () => mutant.to), loader: 'ts' };
            },
          );
        },
      },
    ],
  });
  if (mutant !== undefined && planted !== 1) {
    throw new Error(`${mutant.name}: stands ${planted} times in ${mutant.file}`);
  }
  return outfile;
}

/** Shares seeds among processes; with `untilFound` it ends at the first that breaks a promise. */
async function play(file: string, { untilFound }: { untilFound: boolean }): Promise<Told> {
  const stretch = untilFound ? 50 : 250;
  let next = from;
  let isFound = false;
  const sum = { played: 0, lives: 0, doubts: 0, broken: [] as Told['broken'][number][] };
  const one = async (): Promise<void> => {
    const child = fork(file, { stdio: 'inherit' });
    while (next < from + seeds && !(untilFound && isFound)) {
      const first = next;
      next += stretch;
      const told = await asked(child, { first, count: Math.min(stretch, from + seeds - first) });
      sum.played += told.played;
      sum.lives += told.lives;
      sum.doubts += told.doubts;
      sum.broken.push(...told.broken);
      isFound ||= told.broken.length > 0;
    }
    child.disconnect();
  };
  await Promise.all(Array.from({ length: workers }, one));
  return sum;
}

function asked(child: ChildProcess, stretch: object): Promise<Told> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null): void => reject(new Error(`a worker ended with ${code}`));
    child.once('exit', gone);
    child.once('message', (told) => {
      child.off('exit', gone);
      resolve(told as Told);
    });
    child.send(stretch);
  });
}

await mkdir(scratch, { recursive: true });
const began = performance.now();
const took = (): string => `${((performance.now() - began) / 1000).toFixed(0)} s`;
const told = await play(await bundled(), { untilFound: false });
console.log(
  `${told.played} seeds from ${from}, ${told.lives} lives, ${told.doubts} ended in doubt, ${told.broken.length} broken, ${took()}`,
);
for (const { seed, broken } of told.broken.slice(0, 20))
  console.log(`  ${seed}: ${broken.join('; ')}`);
if (told.broken.length > 0) process.exitCode = 1;

if (values.mutants) {
  for (const mutant of mutants) {
    const file = await bundled(mutant);
    const { played, broken } = await play(file, { untilFound: true });
    const [first] = broken;
    const how = first
      ? `after ${played} seeds: ${first.broken[0]}`
      : `NOT FOUND in ${played} seeds`;
    console.log(`${mutant.name}: ${how}`);
    if (first === undefined) process.exitCode = 1;
  }
  console.log(took());
}
await rm(scratch, { recursive: true, force: true });
