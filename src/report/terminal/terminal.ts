/** The streams of a command: stdout is data, stderr is progress, and both may be closed. */
import type { Readable, Writable } from 'node:stream';
import { isCode } from '../../base/error.ts';
import { jsonLine } from '../../base/text.ts';
import { fitted } from './fitted.ts';
import { themeOf, type Theme, type StreamFacts } from './theme.ts';

export interface Channel {
  readonly theme: Theme;
  /** Writes one or more whole lines. */
  line(text?: string): void;
  /** Writes a value as one line of JSON, without control or invisible characters. */
  json(value: unknown): void;
  /** Writes text unchanged. */
  write(text: string): void;
  /** Writes a workflow command; in a GitHub pipeline no other output can be one. */
  command(text: string): void;
}

export interface Terminal {
  readonly out: Channel;
  readonly err: Channel;
  /** Whether a person can be prompted. */
  readonly canAsk: boolean;
  readonly input: Readable;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface TerminalParts {
  /** The standard input, opened on first use: opening it takes time that other commands should not spend. */
  readonly stdin: () => Readable & StreamFacts;
  readonly stdout: Writable & StreamFacts;
  readonly stderr: Writable & StreamFacts;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly wantsColour: boolean;
  readonly wantsInput: boolean;
  /** Called once for a stream that cannot be written, unless its reader has closed it. */
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

/** A channel over a stream. A closed pipe (`| head -1`), or a full disk, ends the output, never the work. */
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
      close(error); // a synchronous write may also throw
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
 * Makes text harmless for a GitHub runner, which executes `::` at the start of a line and `##[` anywhere in
 * one. In JSON the bracket is escaped, with the same meaning.
 */
function harmlessIn(env: Terminal['env']): (text: string) => string {
  if (env['GITHUB_ACTIONS'] !== 'true') return (text) => text;
  return (text) => {
    const bracket = /^[[{]/.test(text) ? String.raw`##\u005b` : String.raw`##\[`;
    return text.replaceAll('##[', bracket).replaceAll(/^(\s*)::/gm, String.raw`$1\::`);
  };
}
