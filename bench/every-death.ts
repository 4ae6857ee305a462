/**
 * Every case of a playbook with every effect: each act of disk and wire as a moment of death, each
 * fault at each request, and both, resumed twice; and of one that cancels its orders, with a key of either
 * account family. Judged by the exchange's own books.
 *
 *   npx tsx bench/every-death.ts [--workers 2]
 */
import './processes/scratch.ts';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { parseArgs } from 'node:util';
import {
  faultAndDeath,
  inFamily,
  lengthOf,
  oneDeath,
  onLive,
  playAll,
  twoDeaths,
} from '../test/swarm/cases.ts';
import { families } from '../src/exchange/api/family.ts';
import { openStage } from '../test/swarm/play.ts';

const { values } = parseArgs({
  options: { workers: { type: 'string', default: '2' }, part: { type: 'string' } },
});

interface Told {
  readonly played: number;
  readonly broken: readonly string[];
}

async function playPart(part: number, parts: number): Promise<Told> {
  const stage = await openStage();
  const length = await lengthOf(stage);
  const mine = (place: number): boolean => place % parts === part;
  const told: Told[] = [];
  const onSandbox = [oneDeath(length.acts), twoDeaths(length.acts), faultAndDeath(length)];
  const inFamilies = families.map((family) => inFamily(family, stage));
  for (const cases of [...onSandbox, onLive(stage), ...inFamilies]) {
    told.push(await playAll(cases, stage, mine));
  }
  await stage.close();
  return joined(told);
}

function joined(parts: readonly Told[]): Told {
  return {
    played: parts.reduce((sum, { played }) => sum + played, 0),
    broken: parts.flatMap(({ broken }) => broken),
  };
}

if (values.part === undefined) {
  const began = performance.now();
  const workers = Number(values.workers);
  const parts = await Promise.all(
    Array.from({ length: workers }, async (_, part) => {
      const words = ['--workers', String(workers), '--part', String(part)];
      const child = fork(import.meta.filename, words, { execArgv: ['--import', 'tsx'] });
      const [told] = await once(child, 'message');
      return told as Told;
    }),
  );
  const { played, broken } = joined(parts);
  const took = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${played} cases, ${broken.length} broken, ${took} s`);
  for (const line of broken.slice(0, 20)) console.log(`  ${line}`);
  process.exitCode = broken.length === 0 ? 0 : 1;
} else {
  process.send?.(await playPart(Number(values.part), Number(values.workers)));
  process.disconnect();
}
