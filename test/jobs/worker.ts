/** Plays one relation in one job: the entry of a bundle of our sources, sound or with a defect. */
import { wordsOf, type Relation } from './finding.ts';
import { plainest, type Choice } from './features.ts';
import { brokenBy } from './relations.ts';
import { openTheatre } from './scene.ts';

/** What is wrong, in words. */
export async function wrongIn(
  relation: Relation,
  example: Partial<Choice>,
): Promise<readonly string[]> {
  const theatre = await openTheatre(6);
  try {
    const found = await brokenBy[relation]({ ...plainest, ...example }, theatre);
    return found.map(wordsOf);
  } finally {
    await theatre.close();
  }
}
