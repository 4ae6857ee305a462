/** The screen of a run in progress, by the formats of stdout and stderr. */
import { outputOf, type Context } from '../context.ts';
import { entriesScreen } from '../screens/json-screen.ts';
import { linesScreen } from '../screens/lines.ts';
import { isLog } from '../screens/log-channel.ts';
import type { Screen } from '../screens/screen.ts';
import { silentScreen } from '../screens/silent.ts';

/** Output formats of a run. */
export const runFormats = ['text', 'json', 'ndjson', 'markdown'] as const;

export async function screenFor(drain: AbortSignal, context: Context): Promise<Screen> {
  const { terminal, globals, clock } = context;
  const { err, out } = terminal;
  if (isLog(err) && outputOf(context, runFormats) !== 'ndjson') {
    const { logScreen } = await import('../screens/log.ts');
    return logScreen(err);
  }
  switch (outputOf(context, runFormats)) {
    case 'ndjson':
      return entriesScreen(out);
    case 'json':
    case 'markdown':
    case 'text':
      if (globals.isQuiet) return silentScreen;
      if (err.theme.isLive && !globals.isVerbose) {
        const { listScreen } = await import('../screens/list.ts');
        return listScreen(err, clock, drain);
      }
      return linesScreen(err, {
        clock,
        isVerbose: globals.isVerbose,
        isGithub: terminal.env['GITHUB_ACTIONS'] === 'true',
      });
  }
}
