/**
 * Forged plans, seal and digest recomputed: every change of every field, and two fields at once, each
 * refused or without effect; of a plan that was checked against the exchange's terms and of one that was not.
 *
 *   npx tsx bench/forgeries.ts [--rounds 3] [--seed 1]
 */
import './processes/scratch.ts';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/base/random.ts';
import {
  allForgeries,
  booksOf,
  forged,
  forgersScene,
  mayPass,
  outcomeOf,
} from '../test/support/forged-scene.ts';
import { pairsOf, type Forgery } from '../test/support/forgeries.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
  },
});

const wrong: string[] = [];

/** One field may pass when it is named; of two, one may undo the other. */
function isKnown({ field }: Forgery): boolean {
  return mayPass(field) || field.includes(' and ');
}

for (const isLive of [false, true]) {
  const scene = await forgersScene(isLive);
  const before = (await booksOf(scene.harness)).join();
  const singles = allForgeries(scene);
  const random = seededRandom(Number(values.seed));
  const rounds = Array.from({ length: Number(values.rounds) }, () => pairsOf(singles, random));
  const pairs = rounds.flat();
  const counts = { refused: 0, 'without effect': 0, wrong: 0 };
  for (const forgery of [...singles, ...pairs]) {
    const found = await outcomeOf(forged(scene.plan, forgery), scene);
    const isRight = found !== 'without effect' || isKnown(forgery);
    const outcome = isRight ? found : `wrong: ${found}, and no field that may differ`;
    if (outcome === 'refused' || outcome === 'without effect') counts[outcome] += 1;
    else {
      counts.wrong += 1;
      wrong.push(`${forgery.what}: ${outcome.slice(0, 300)}`);
    }
  }
  if ((await booksOf(scene.harness)).join() !== before) wrong.push('an order was placed');
  const kind = isLive ? 'without terms' : 'with terms';
  const { refused, 'without effect': passed } = counts;
  console.log(
    `${kind}: ${singles.length} forgeries and ${pairs.length} pairs, seed ${values.seed}: ` +
      `${refused} refused, ${passed} without effect, ${counts.wrong} wrong`,
  );
}
for (const line of wrong.slice(0, 20)) console.log(`  ${line}`);
process.exitCode = wrong.length === 0 ? 0 : 1;
