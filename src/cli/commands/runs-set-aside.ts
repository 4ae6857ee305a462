/** `runs set-aside`: a person states that a damaged run no longer counts; its files are kept. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainText, shellWord } from '../../base/text.ts';
import { lockRun } from '../../journal/lock.ts';
import { hasBegun, readRun } from '../../journal/runs.ts';
import { JournalError } from '../../journal/error.ts';
import { setAside } from '../../journal/set-aside.ts';
import { userName } from '../approval/person.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { damageOf } from '../../session/running/damaged.ts';
import { configOf } from '../../session/config.ts';
import { damageLines } from '../screens/damaged.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text']);
  const { out, err } = context.terminal;
  const [runId = ''] = args.positionals;
  const { stateDir } = await configOf(context);
  await damageIn(stateDir, runId);
  const comment = args.text('comment')?.trim() ?? '';
  if (comment === '') {
    throw new UsageError(
      `state the outcome of the orders of ${runId}`,
      `deskhand runs set-aside ${shellWord(runId)} --comment "none is open, none was filled"`,
    );
  }
  const lock = await lockRun(stateDir, runId);
  try {
    const error = await damageIn(stateDir, runId); // it may have been repaired meanwhile
    err.line(damageLines(await damageOf(stateDir, runId, error), err.theme).join('\n'));
    const place = await setAside(stateDir, {
      run: runId,
      who: userName(),
      at: context.clock.now(),
      comment: plainText(comment),
      because: error.message,
    });
    out.line(`${runId} is set aside, in ${plainText(place)}`);
    out.line('its writes no longer count for once-per: playbook; its plan remains used');
  } finally {
    await lock.release();
  }
  return exits.done;
}

/** @throws UsageError when the run is intact or does not exist */
async function damageIn(stateDir: string, runId: string): Promise<JournalError> {
  try {
    await readRun(stateDir, runId);
  } catch (error) {
    if (error instanceof JournalError) return error;
    throw error;
  }
  const hint = (await hasBegun(stateDir, runId))
    ? `see \`deskhand runs show ${shellWord(runId)}\``
    : undefined;
  throw new UsageError(`the journal of ${runId} is intact: it is not set aside`, hint);
}
