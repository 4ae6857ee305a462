/** Runs verbs in this process, with a fixed clock and a separate folder. */
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { standingClock } from '../../src/base/clock.ts';
import { onTerminal, type Context, type Args, type Run } from '../../src/cli/context.ts';
import { terminalOver } from '../../src/report/terminal/terminal.ts';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Where {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: string;
}

export interface Words {
  readonly words: readonly string[];
  readonly flags?: Readonly<Record<string, string | readonly string[] | boolean>>;
  readonly output?: string;
}

export function contextAt(now: string, { folder, env = {}, config }: Where, output?: string) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = terminalOver({
    stdin: () => stdin,
    stdout,
    stderr,
    env: { DESKHAND_STATE_DIR: join(folder, 'state'), ...env },
    wantsColour: false,
    wantsInput: false,
  });
  const globals = {
    isQuiet: false,
    isVerbose: false,
    logLevel: 'warn',
    ...(output !== undefined && { output }),
    ...(config !== undefined && { config }),
  } as const;
  const clock = standingClock(Date.parse(now));
  const context: Context = onTerminal({ globals, clock, secrets: [] }, terminal);
  return {
    context,
    out: () => written(stdout),
    err: () => written(stderr),
  };
}

/** All unread output; from Node 26 on, one read returns only a chunk. */
function written(stream: PassThrough): string {
  let text = '';
  for (let piece = stream.read(); piece !== null; piece = stream.read()) text += String(piece);
  return text;
}

export function givenOf({ words, flags = {} }: Words): Args {
  return {
    positionals: words,
    text: (flag) => (typeof flags[flag] === 'string' ? flags[flag] : undefined),
    texts: (flag) => (Array.isArray(flags[flag]) ? flags[flag] : []),
    isOn: (flag) => flags[flag] === true,
  };
}

export async function at(now: string, where: Where, verb: Run, words: Words): Promise<Said> {
  const { context, out, err } = contextAt(now, where, words.output);
  const code = await verb(context, givenOf(words));
  return { code, out: out(), err: err() };
}
