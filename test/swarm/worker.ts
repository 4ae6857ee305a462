/** Plays stretches of seeds for a parent process: every other one is of the fleet. */
import { playSeed as playFleet } from './fleet/play.ts';
import { openStage as openFleet } from './fleet/stage.ts';
import process from 'node:process';
import { openStage, playSeed } from './play.ts';
import type { Stretch, SwarmReport } from './share.ts';

const [alone, fleet] = [await openStage(), await openFleet()];

process.on('message', (stretch: Stretch) => {
  void played(stretch).then((report) => process.send?.(report));
});
process.on('disconnect', () => {
  void Promise.all([alone.close(), fleet.close()]).then(() => process.exit());
});

async function played({ first, count }: Stretch): Promise<SwarmReport> {
  let [lives, doubts] = [0, 0];
  const broken: { seed: number; broken: readonly string[] }[] = [];
  const traces: string[] = [];
  for (let seed = first; seed < first + count; seed++) {
    const verdict = await (seed % 2 === 0 ? playFleet(seed, fleet) : playSeed(seed, alone));
    lives += verdict.lives;
    doubts += verdict.doubts;
    traces.push(`${seed} ${verdict.trace}`);
    if (verdict.broken.length > 0) broken.push({ seed, broken: verdict.broken });
  }
  return { played: count, lives, doubts, broken, traces };
}
