/** Where a command reads and writes: stdout is data, stderr is progress, and both may go away. */
import type { Readable, Writable } from 'node:stream';
import { isCode } from '../../base/error.ts';
import { jsonLine } from '../../base/text.ts';
import { fitted } from './fitted.ts';
import { themeOf, type Theme, type StreamFacts } from './theme.ts';

export interface Channel {
  readonly theme: Theme;
  /** Writes one or more whole lines. */
  line(text?: string): void;
  /** Writes a value as one line of JSON, without a character that a terminal would obey or hide. */
  json(value: unknown): void;
  /** Writes text unchanged. */
  write(text: string): void;
  /** Writes a workflow command; in a pipeline of GitHub nothing else is read as one. */
  command(text: string): void;
}

export interface Terminal {
  readonly out: Channel;
  readonly err: Channel;
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  readonly input: Readable;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface TerminalParts {
  /** Asked for when something is read: opening it costs time no other command should pay. */
  readonly stdin: () => Readable & StreamFacts;
  readonly stdout: Writable & StreamFacts;
  readonly stderr: Writable & StreamFacts;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly wantsColour: boolean;
  readonly wantsInput: boolean;
  /** Called once for a stream that takes no more, unless its reader has left. */
  readonly onLost?: (stream: 'stdout' | 'stderr', error: unknown) => void;
}

/** A terminal over the streams of a process. */
export function terminalOver(parts: TerminalParts): Terminal {
  const { stdin, stdout, stderr, env, wantsColour, wantsInput, onLost } = parts;
  const channel = (stream: Writable & StreamFacts, name: 'stdout' | 'stderr'): Channel => {
    const lost = (error: unknown): void => onLost?.(name, error);
    return channelOver(stream, themeOf(stream, env, wantsColour), {
      harmless: harmlessIn(env),
      lost,
    });
  };
  return {
    out: channel(stdout, 'stdout'),
    err: channel(stderr, 'stderr'),
    get canAsk() {
      if (!wantsInput || stderr.isTTY !== true || env['DESKHAND_NO_INPUT']) return false;
      return stdin().isTTY === true;
    },
    get input() {
      return stdin();
    },
    env,
  };
}

interface Sending {
  readonly harmless: (text: string) => string;
  readonly lost: (error: unknown) => void;
}

/** A reader that leaves (`| head -1`), or a full disk, ends the printing, never the work. */
function channelOver(stream: Writable, theme: Theme, { harmless, lost }: Sending): Channel {
  let isOpen = true;
  const close = (error: unknown): void => {
    const hasLeft = isCode(error, 'EPIPE') || isCode(error, 'ERR_STREAM_DESTROYED');
    if (isOpen && !hasLeft) lost(error);
    isOpen = false;
  };
  stream.on('error', close);
  const send = (text: string): void => {
    if (!isOpen) return;
    try {
      stream.write(text);
    } catch (error) {
      close(error); // what is written at once may fail at once
    }
  };
  const write = (text: string): void => send(harmless(text));
  return {
    theme,
    write,
    line: (text = '') => write(`${theme.isTerminal ? fitted(text, theme.columns) : text}\n`),
    json: (value) => write(`${jsonLine(value)}\n`),
    command: (text) => send(`${text}\n`),
  };
}

/**
 * A runner of GitHub obeys `::` at the beginning of a line and `##[` anywhere in one, whoever wrote
 * it. In JSON the bracket becomes an escape that means the same.
 */
function harmlessIn(env: Terminal['env']): (text: string) => string {
  if (env['GITHUB_ACTIONS'] !== 'true') return (text) => text;
  return (text) => {
    const bracket = /^[[{]/.test(text) ? String.raw`##\u005b` : String.raw`##\[`;
    return text.replaceAll('##[', bracket).replaceAll(/^(\s*)::/gm, String.raw`$1\::`);
  };
}
