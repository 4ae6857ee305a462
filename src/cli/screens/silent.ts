/** The screen without progress output: for `--quiet`, and for `-o json`, which prints one object at
 * the end.
 */
import type { Screen } from './screen.ts';

export const silentScreen: Screen = {
  recall: () => undefined,
  show: () => undefined,
  close: () => Promise.resolve(),
};
