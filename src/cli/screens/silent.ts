/** No progress at all: `--quiet`, and `-o json`, whose one object comes at the end. */
import type { Screen } from './screen.ts';

export const silentScreen: Screen = {
  recall: () => undefined,
  show: () => undefined,
  close: () => Promise.resolve(),
};
