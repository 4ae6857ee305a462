/** `runs set-aside`: a person states that a run is not continued; the files of a damaged run are kept. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { count, plainText, shellWord } from '../../base/text.ts';
import { lockRun } from '../../engine/journal/lock.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { JournalError } from '../../engine/journal/error.ts';
import { setAside } from '../../engine/journal/set-aside.ts';
import { userName } from '../../app/machine/person.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { damageOf } from '../../app/running/damaged.ts';
import { configOf } from '../../app/config/opened.ts';
import { setRunAside, type Beside } from '../../app/running/set-aside.ts';
import { summaryOf } from '../../report/summary.ts';
import { damageLines } from '../screens/damaged.ts';
import { nextLines, summaryLines } from '../../report/terminal/summary.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text']);
  const [runId = ''] = args.positionals;
  const { stateDir } = await configOf(context);
  const damage = await damageIn(stateDir, runId);
  const reason = (args.text('reason') ?? args.text('comment'))?.trim() ?? '';
  if (reason === '') {
    throw new UsageError(
      `state the outcome of the orders of ${runId}`,
      `deskhand runs set-aside ${shellWord(runId)} --reason "none is open, none was filled"`,
    );
  }
  const word = { who: userName(), reason: plainText(reason) };
  await (damage === undefined ? intact(runId, word, context) : damaged(runId, word, context));
  return exits.done;
}

/** Sets an intact run aside and shows what it sent: the person answers for it from now on. */
async function intact(runId: string, word: Beside, context: Context): Promise<void> {
  const { out, err } = context.terminal;
  const entries = await setRunAside(runId, word, context);
  const sent = summaryOf(entries.slice(0, -1));
  err.line(summaryLines({ ...sent, next: [] }, err.theme).join('\n'));
  out.line(`${runId} is set aside: it is not continued, and blocks no run of its playbook`);
  const { inDoubt } = sent.tally;
  if (inDoubt > 0)
    out.line(`${count(inDoubt, 'write')} of it remains in doubt until it is looked up`);
  out.line(nextLines(summaryOf(entries).next, out.theme).join('\n'));
}

async function damaged(runId: string, word: Beside, context: Context): Promise<void> {
  const { out, err } = context.terminal;
  const { stateDir } = await configOf(context);
  const lock = await lockRun(stateDir, runId);
  try {
    const error = await damageIn(stateDir, runId); // it may have been repaired meanwhile
    if (error === undefined)
      throw new UsageError(`the journal of ${runId} was repaired; try again`);
    err.line(damageLines(await damageOf(stateDir, runId, error), err.theme).join('\n'));
    const place = await setAside(stateDir, {
      run: runId,
      who: word.who,
      at: context.clock.now(),
      comment: word.reason,
      because: error.message,
    });
    out.line(`${runId} is set aside, in ${plainText(place)}`);
    out.line('its writes no longer count for once-per: playbook; its plan remains used');
  } finally {
    await lock.release();
  }
}

/**
 * The damage of a run's journal; undefined if it is intact. @throws UsageError without such a run
 */
async function damageIn(stateDir: string, runId: string): Promise<JournalError | undefined> {
  try {
    await readRun(stateDir, runId);
    return undefined;
  } catch (error) {
    if (error instanceof JournalError) return error;
    throw error;
  }
}
