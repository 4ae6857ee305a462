/** `runs diff`: what differs between two runs, derived from their journals. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { configOf } from '../../app/config/opened.ts';
import type { Config } from '../../app/config/load.ts';
import type { RunsDiffOutput } from '../../app/documents/run-lists.ts';
import { fetchRuns } from '../../app/store/synchronized.ts';
import { runDiff } from '../../report/run-diff.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { runNamed } from '../args/run-name.ts';
import { runDiffLines } from '../screens/run-diff.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const config = await configOf(context);
  const [a = '', b = ''] = args.positionals;
  const diff = runDiff(await entriesOf(a, config, context), await entriesOf(b, config, context));
  if (format === 'json') out.json({ version: 1, ...diff } satisfies RunsDiffOutput);
  else out.line(runDiffLines(diff, out.theme).join('\n'));
  return exits.done;
}

async function entriesOf(
  word: string,
  config: Config,
  context: Context,
): Promise<readonly Entry[]> {
  const { stateDir } = config;
  const id = await runNamed(stateDir, word, (run) => fetchRuns(config, context, run));
  const entries = await readRun(stateDir, id);
  if (entries.length > 0) return entries;
  throw new UsageError(`${id} ended before its first entry was written; nothing was sent`);
}
