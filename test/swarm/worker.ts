/** Plays stretches of seeds for a parent process. */
import process from 'node:process';
import { openStage, playSeed } from './play.ts';

const stage = await openStage();

process.on('message', ({ first, count }: { readonly first: number; readonly count: number }) => {
  void stretch(first, count).then((told) => process.send?.(told));
});
process.on('disconnect', () => void stage.close());

async function stretch(first: number, count: number): Promise<object> {
  const told = { played: 0, lives: 0, doubts: 0, broken: [] as object[] };
  for (let seed = first; seed < first + count; seed++) {
    const { lives, doubts, broken } = await playSeed(seed, stage);
    told.played += 1;
    told.lives += lives;
    told.doubts += doubts;
    if (broken.length > 0) told.broken.push({ seed, broken });
  }
  return told;
}
