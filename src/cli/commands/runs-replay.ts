/** `runs replay`: replays a recorded run on its own responses and reports differences. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import { playAgain } from '../../engine/runtime/playback.ts';
import type { Difference } from '../../engine/runtime/recorded-effects.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { itemsMaxIn } from '../../engine/plan/items.ts';
import { inputsOf, provedAgain } from '../../app/planning/playbooks.ts';
import { runNamed } from '../args/run-name.ts';
import { fetchUnknown } from '../../app/store/synchronized.ts';
import { configOf } from '../../app/config/opened.ts';
import type { RunsReplayOutput } from '../../app/documents/run-lists.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { programName } from '../../base/version.ts';
import { inputsIn, startOf } from '../../app/running/started.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const { theme } = out;
  const format = outputOf(context, ['text', 'json']);
  const config = await configOf(context);
  const { stateDir } = config;
  const runId = await runNamed(stateDir, args.positionals[0] ?? '', (id) =>
    fetchUnknown(config, context, id),
  );
  const entries = await readRun(stateDir, runId);
  const started = startOf(entries, runId);
  if (started.imported !== undefined) {
    throw new UsageError(`${runId} is an import`, 'it sent nothing that could be replayed');
  }
  const playbook = provedAgain(started, itemsMaxIn(entries), context);
  const inputs = inputsOf(playbook, inputsIn(started.inputs), started, context);
  const { clock } = context;
  const differences = await playAgain({ playbook, inputs, entries, clock });
  const programs = { recordedBy: started.program, playedBy: programName };
  const isSame = differences.length === 0;
  if (format === 'json') {
    const output = { version: 1, run: runId, ...programs, isSame, differences } as const;
    out.json(output satisfies RunsReplayOutput);
  } else {
    const by = `recorded by ${plainText(started.program, 60)}, played by ${programName}`;
    const mark = isSame ? theme.sign('good') : theme.sign('bad');
    const verdict = isSame
      ? 'gives the same result'
      : `differs in ${count(differences.length, 'place')}`;
    out.line(
      [...differences.flatMap(linesWith(theme)), `${mark} ${runId} ${verdict} (${by})`].join('\n'),
    );
  }
  return isSame ? exits.done : exits.stopped;
}

function linesWith(theme: Theme): (difference: Difference) => string[] {
  return ({ at, was, is }) => [
    theme.paint('strong', plainText(at, 160)),
    ...columns(
      [
        [theme.paint('good', 'was'), plainText(was)],
        [theme.paint('bad', 'is'), plainText(is)],
      ],
      theme,
      { indent: 2 },
    ),
  ];
}
