/** `name=value` arguments of the command line. */
import { UsageError } from '../../base/error.ts';

/**
 * Names and values; everything after the first equals sign is the value.
 * @param what the name of one in messages
 * @throws UsageError for an argument without a name, or a duplicate name
 */
export function pairsOf(words: readonly string[], what: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const word of words) {
    const cut = word.indexOf('=');
    if (cut < 1) throw new UsageError(`${JSON.stringify(word)} is not ${what} like name=value`);
    const name = word.slice(0, cut);
    if (pairs.has(name)) throw new UsageError(`${name} is given twice`);
    pairs.set(name, word.slice(cut + 1));
  }
  return pairs;
}
