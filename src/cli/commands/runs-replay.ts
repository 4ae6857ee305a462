/** `runs replay`: a recorded run played again on its own answers; differences are told. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import { playAgain, type Difference } from '../../engines/playback.ts';
import { readRun } from '../../journal/runs.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { inputsOf, proved } from '../given/playbooks.ts';
import { configOf } from '../running/work.ts';
import { columns } from '../screens/columns.ts';
import type { Look } from '../screens/look.ts';
import { programName } from '../version.ts';
import { inputsIn, startOf } from './resume.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { out } = context.terminal;
  const { look } = out;
  const format = outputOf(context, ['text', 'json']);
  const [runId = ''] = given.words;
  const { stateDir } = await configOf(context);
  const entries = await readRun(stateDir, runId);
  const started = startOf(entries, runId);
  const playbook = proved(started.playbook, context);
  const inputs = inputsOf(playbook, inputsIn(started.inputs), started, context);
  const { clock } = context;
  const differences = await playAgain({ playbook, inputs, entries, clock });
  const programs = { recordedBy: started.program, playedBy: programName };
  const isSame = differences.length === 0;
  if (format === 'json') {
    out.line(JSON.stringify({ version: 1, run: runId, ...programs, isSame, differences }));
  } else {
    const by = `recorded by ${plainText(started.program, 60)}, played by ${programName}`;
    const mark = isSame
      ? look.paint('good', look.glyphs.done)
      : look.paint('bad', look.glyphs.failed);
    const verdict = isSame
      ? 'comes to the same'
      : `comes to something else in ${count(differences.length, 'place')}`;
    out.line(
      [...differences.flatMap(linesWith(look)), `${mark} ${runId} ${verdict} (${by})`].join('\n'),
    );
  }
  return isSame ? exits.done : exits.stopped;
}

function linesWith(look: Look): (difference: Difference) => string[] {
  return ({ at, was, is }) => [
    look.paint('strong', plainText(at, 160)),
    ...columns(
      [
        [look.paint('good', 'was'), plainText(was)],
        [look.paint('bad', 'is'), plainText(is)],
      ],
      look,
      { indent: 2 },
    ),
  ];
}
