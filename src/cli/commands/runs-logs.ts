/** `runs logs`: the entries of a run as lines, also while it is executed here or by a worker. */
import { second } from '../../base/clock.ts';
import { DeskhandError, exits, type ExitCode } from '../../base/error.ts';
import { shellWord } from '../../base/text.ts';
import { endIn, isDone } from '../../engine/journal/end.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { hasOpenWrite } from '../../engine/journal/replay.ts';
import { runNamed } from '../args/run-name.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { countdown } from '../run-log/countdown.ts';
import { logSource, type LogSource, type RunLife } from '../run-log/source.ts';
import { logWriter, type LogWriter } from '../run-log/writer.ts';
import { stoppable } from '../../app/machine/interrupt.ts';
import { fetchUnknown } from '../../app/store/synchronized.ts';
import { configOf } from '../../app/config/opened.ts';
import { exitOf, leavingNotice, refusedJob } from '../worker/follow.ts';
import { leftAway, patiently, runContinues } from '../../app/queue/patience.ts';
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
    if (missing !== undefined)
      terminal.err.line(`${terminal.err.theme.paint('warn', '!')} ${missing}`);
    return exits.done;
  } finally {
    await source.close();
  }
}

/** Ctrl-C leaves the run alone. @returns the exit code of the run */
async function follow(
  id: string,
  writer: LogWriter,
  config: Config,
  context: Context,
): Promise<ExitCode> {
  const { err } = context.terminal;
  const entries: Entry[] = [];
  let noted = '';
  // Without an entry it may have ended long ago.
  const meanwhile = (): string | undefined => (entries.length === 0 ? undefined : runContinues);
  const below = countdown(err, context.clock);
  const say = (line: string): void => {
    below.clear();
    err.line(line);
  };
  const look = async (source: LogSource): Promise<RunLife> => {
    const life = await source.life(); // first: when it has ended, its last entries are there
    for await (const entry of source.added()) {
      entries.push(entry);
      below.clear();
      writer.add(entry);
      below.add(entry);
    }
    below.draw();
    return life;
  };
  return stoppable(
    context,
    async (leaving) => {
      const { drain } = leaving;
      const ask = patiently({
        clock: context.clock,
        signal: drain,
        say,
        meanwhile,
        hasEnough: () => isDone(entries),
      });
      let source: LogSource | undefined;
      try {
        source = await logSource(id, config, context, ask);
        for (;;) {
          const life = await look(source);
          const ended = endOf(id, life, entries);
          if (ended !== undefined) return ended;
          const note = life.kind === 'alive' ? life.note : undefined;
          if (entries.length === 0 && note !== undefined && note !== noted) say(`${id} ${note}`);
          noted = note ?? '';
          if (drain.aborted) {
            const cancel = `; stop it with: deskhand runs cancel ${shellWord(id)}`;
            say(`${id} continues${note === undefined ? '' : cancel}`);
            return leaving.exit() ?? exits.interrupted;
          }
          await context.clock.sleep(pollMs, drain).catch(() => undefined);
        }
      } catch (error) {
        if (error instanceof UnreachableError) return exits.done;
        if (error !== drain.reason) throw error;
        say(leftAway(id, entries, meanwhile()));
        return leaving.exit() ?? exits.interrupted;
      } finally {
        below.clear();
        await source?.close();
      }
    },
    leavingNotice,
  );
}

/** @returns undefined while it continues @throws DeskhandError for an end that nobody reported */
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
