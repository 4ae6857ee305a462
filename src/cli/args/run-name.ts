/** Runs by id, prefix or `last`; for commands that only read. */
import { UsageError } from '../../base/error.ts';
import { listed, plainText } from '../../base/text.ts';
import { isRunId } from '../../engine/journal/identity.ts';
import { everyName, newestRuns } from '../../engine/journal/run-list.ts';

const shownMax = 5; // matching runs listed in an error

/**
 * The id of the run; the argument itself if no run starts with it.
 * @param fetch brings what other machines did: the run with this id, or all runs if none here
 * starts with the argument, or there is none
 * @throws UsageError when it is ambiguous, or nothing has run yet
 */
export async function runNamed(
  stateDir: string,
  word: string,
  fetch: (run?: string) => Promise<void>,
): Promise<string> {
  if (word === 'last') {
    let [newest] = await newestRuns(stateDir, 1);
    if (newest === undefined) {
      await fetch();
      [newest] = await newestRuns(stateDir, 1);
    }
    if (newest === undefined)
      throw new UsageError('no runs yet, so no last one', 'see `deskhand runs list`');
    await fetch(newest.run);
    return newest.run;
  }
  if (isRunId(word)) await fetch(word);
  let names = await everyName(stateDir);
  if (word === '' || names.includes(word)) return word;
  if (!names.some(isMeant)) {
    await fetch();
    names = await everyName(stateDir);
  }
  const found = names.filter(isMeant);
  const [only = word] = found;
  if (found.length <= 1) {
    if (only !== word) await fetch(only);
    return only;
  }
  const some = found.slice(0, shownMax).map((name) => plainText(name, 60));
  const rest = found.length > shownMax ? [`${found.length - shownMax} more`] : [];
  throw new UsageError(
    `${JSON.stringify(word)} is a prefix of ${found.length} runs`,
    `use a longer prefix: ${listed([...some, ...rest])}`,
  );

  function isMeant(name: string): boolean {
    return name.startsWith(word) || name.startsWith(`r-${word}`);
  }
}
