/**
 * The swarm: seeds by the thousand, each with its playbooks, its troubles and its deaths, checked by
 * the exchange's own books. Odd seeds are one process on a failing disk; even ones are a fleet of
 * machines that share a ledger. Then the same with a defect planted, until it is found; where a test
 * is named for it, that test must fail.
 *
 *   npx tsx bench/swarm.ts [--seeds 10000] [--from 1] [--workers 2] [--mutants [NAME …]]
 */
import './processes/scratch.ts';
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { openBundles } from '../test/swarm/bundle.ts';
import type { Mutant } from '../test/swarm/mutant.ts';
import { mutants } from '../test/swarm/mutants.ts';
import { shareSeeds } from '../test/swarm/share.ts';

const { values, positionals } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    mutants: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const first = Number(values.from);
const [count, workers] = [Number(values.seeds), Number(values.workers)];

const began = performance.now();
const took = (): string => `${((performance.now() - began) / 1000).toFixed(0)} s`;
const bundles = await openBundles();
if (!values.mutants) {
  const sound = await bundles.make();
  const told = await shareSeeds(sound, { first, count, workers, atOnce: 100 });
  console.log(
    `${told.played} seeds from ${first}, ${told.lives} lives, ${told.doubts} ended in doubt, ` +
      `${told.broken.length} broken, ${took()}`,
  );
  for (const { seed, broken } of told.broken.slice(0, 40)) {
    console.log(`  ${seed}: ${broken.join('; ')}`);
  }
  if (told.broken.length > 0) process.exitCode = 1;
} else {
  for (const mutant of mutants) {
    if (positionals.length > 0 && !positionals.includes(mutant.name)) continue;
    const how = mutant.test === undefined ? await bySeeds(mutant) : byTest(mutant.test, mutant);
    console.log(`${mutant.name}: ${how ?? 'NOT FOUND'}`);
    if (how === undefined) process.exitCode = 1;
  }
  console.log(took());
}
await bundles.close();

/** @returns how many seeds it took, and what was seen */
async function bySeeds(mutant: Mutant): Promise<string | undefined> {
  const file = await bundles.make(mutant);
  const told = await shareSeeds(file, { first, count, workers, atOnce: 25, untilFound: true });
  const [found] = told.broken;
  return found && `after ${told.played} seeds: ${found.seed}: ${found.broken[0]}`;
}

/** @returns the test that fails with the defect planted; it passes without it */
function byTest(file: string, { name }: Mutant): string | undefined {
  const words = ['vitest', 'run', '--config', 'test/swarm/planted.config.ts', '--maxWorkers=1'];
  const { status, stdout, stderr } = spawnSync('npx', words, {
    env: { ...process.env, PLANTED: name, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  if (status === 0) return undefined;
  const failed = /FAIL .*? > (.*)/.exec(stderr)?.[1];
  if (failed === undefined)
    throw new Error(`${file} did not run with "${name}":\n${stdout}${stderr}`);
  return `${file}: ${failed}`;
}
