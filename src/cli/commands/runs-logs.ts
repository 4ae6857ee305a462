/** `runs logs`: the entries of a run as lines, also while it is executed here or by a worker. */
import { second } from '../../base/clock.ts';
import { DeskhandError, exits, type ExitCode } from '../../base/error.ts';
import { shellWord } from '../../base/text.ts';
import { endIn, isDone } from '../../engine/journal/end.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { hasOpenWrite } from '../../engine/journal/replay.ts';
import { runNamed } from '../args/run-name.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { FollowedLog } from '../run-log/followed.ts';
import { logSource, type LogSource, type RunLife } from '../run-log/source.ts';
import { logWriter, type LogWriter } from '../run-log/writer.ts';
import { stoppable } from '../../app/machine/interrupt.ts';
import { fetchUnknown } from '../../app/store/synchronized.ts';
import { configOf } from '../../app/config/opened.ts';
import { exitOf, leavingNotice, refusedJob } from '../worker/follow.ts';
import { leftAway, patiently } from '../../app/queue/patience.ts';
import { UnreachableError } from '../../stores/store.ts';
import type { Config } from '../../app/config/load.ts';

const pollMs = second / 2;

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const format = outputOf(context, ['text', 'ndjson']);
  const isFollowed = args.isOn('follow');
  const config = await configOf(context);
  const word = args.positionals[0] ?? '';
  const silent: Context = { ...context, note: () => undefined }; // its log is read from the store next
  const id = await runNamed(config.stateDir, word, (run) => fetchUnknown(config, silent, run));
  const { globals, terminal } = context;
  const writer = logWriter(terminal.out, format, globals);
  if (isFollowed) return follow(id, writer, config, context);
  const source = await logSource(id, config, context);
  try {
    for await (const entry of source.added()) writer.add(entry);
    const missing = source.missing();
    if (missing !== undefined) terminal.err.line(`${terminal.err.theme.sign('warn')} ${missing}`);
    return exits.done;
  } finally {
    await source.close();
  }
}

/**
 * Prints entries until the run ends; Ctrl-C does not stop the run. @returns the exit code of the
 * run
 */
async function follow(
  id: string,
  writer: LogWriter,
  config: Config,
  context: Context,
): Promise<ExitCode> {
  const log = new FollowedLog(id, writer, context);
  return stoppable(
    context,
    async (leaving) => {
      const { drain } = leaving;
      const ask = patiently({
        clock: context.clock,
        signal: drain,
        say: (line) => log.say(line),
        meanwhile: () => log.meanwhile(),
        hasEnough: () => isDone(log.entries),
      });
      let source: LogSource | undefined;
      try {
        source = await logSource(id, config, context, ask);
        for (;;) {
          const life = await log.read(source);
          const ended = endOf(id, life, log.entries);
          if (ended !== undefined) return ended;
          log.noteStart(life);
          if (drain.aborted) {
            log.sayContinues(life);
            return leaving.exit() ?? exits.interrupted;
          }
          await context.clock.sleep(pollMs, drain).catch(() => undefined);
        }
      } catch (error) {
        if (error instanceof UnreachableError) return exits.done;
        if (error !== drain.reason) throw error;
        log.say(leftAway(id, log.entries, log.meanwhile()));
        return leaving.exit() ?? exits.interrupted;
      } finally {
        log.clear();
        await source?.close();
      }
    },
    leavingNotice,
  );
}

/**
 * The exit code of a run. @returns undefined while it continues @throws DeskhandError for an end
 * that nobody reported
 */
function endOf(id: string, life: RunLife, entries: readonly Entry[]): ExitCode | undefined {
  const last = endIn(entries);
  switch (life.kind) {
    case 'alive':
      return isDone(entries) ? exits.done : undefined; // a job of it, if one is left, does nothing
    case 'unknown':
      return last?.exit;
    case 'idle':
      if (last !== undefined) return last.exit;
      throw new DeskhandError(`no process executes ${id}, and its end was not reported`, {
        code: 'interrupted',
        actor: 'operator',
        exit: hasOpenWrite(entries) ? exits.inDoubt : exits.stopped,
        hint: `continue it: deskhand resume ${shellWord(id)}`,
      });
    case 'ended':
      if (isDone(entries)) return exits.done;
      if (last !== undefined && life.job.ending?.result !== undefined)
        return exitOf(life.job.ending);
      throw refusedJob(life.job);
  }
}
