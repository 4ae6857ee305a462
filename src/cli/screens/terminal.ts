/** Where a command reads and writes: stdout is data, stderr is progress, and both may go away. */
import type { Readable, Writable } from 'node:stream';
import { lookOf, type Look, type StreamFacts } from './look.ts';

export interface Channel {
  readonly look: Look;
  /** Writes one or more whole lines. */
  line(text?: string): void;
  /** Writes text as it is. */
  write(text: string): void;
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
}

/** A terminal over the streams of a process. */
export function terminalOver(parts: TerminalParts): Terminal {
  const { stdin, stdout, stderr, env, wantsColour, wantsInput } = parts;
  return {
    out: channelOver(stdout, lookOf(stdout, env, wantsColour)),
    err: channelOver(stderr, lookOf(stderr, env, wantsColour)),
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

/** A reader that leaves (`| head -1`) ends the printing, never the work. */
function channelOver(stream: Writable, look: Look): Channel {
  let isOpen = true;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
    isOpen = false;
  });
  const write = (text: string): void => {
    if (isOpen) stream.write(text);
  };
  return { look, write, line: (text = '') => write(`${text}\n`) };
}
