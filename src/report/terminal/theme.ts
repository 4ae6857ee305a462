/** The theme of a stream: colors, glyphs and width, or plain text. */
import { styleText } from 'node:util';

/** The meaning of a piece of text; colors are derived from it. */
export type Tone =
  | 'strong'
  | 'faint'
  | 'good'
  | 'bad'
  | 'warn'
  | 'doubt'
  | 'command'
  | 'sandbox'
  | 'live';

type Style = Parameters<typeof styleText>[0];

const styles: Readonly<Record<Tone, Style>> = {
  strong: 'bold',
  faint: 'dim',
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  doubt: ['bold', 'magenta'],
  command: 'cyan',
  sandbox: ['bgCyan', 'black'],
  live: ['bgRed', 'white', 'bold'],
};

export interface Glyphs {
  readonly done: string;
  readonly failed: string;
  readonly doubt: string;
  readonly waiting: string;
  readonly arrow: string;
  readonly times: string;
  readonly dots: string;
  readonly dot: string;
  /** Branches of a tree: a middle one, the last one, and the line next to them. */
  readonly branch: string;
  readonly lastBranch: string;
  readonly trunk: string;
}

const drawn: Glyphs = {
  done: '✔',
  failed: '✖',
  doubt: '?',
  waiting: '○',
  arrow: '→',
  times: '×',
  dots: '…',
  dot: '·',
  branch: '├─ ',
  lastBranch: '└─ ',
  trunk: '│  ',
};
const typed: Glyphs = {
  done: 'ok',
  failed: 'x',
  doubt: '?',
  waiting: '-',
  arrow: '->',
  times: 'x',
  dots: '...',
  dot: '-',
  branch: '|- ',
  lastBranch: '`- ',
  trunk: '|  ',
};

export interface Theme {
  readonly paint: (tone: Tone, text: string) => string;
  readonly glyphs: Glyphs;
  /** The visible width of a line, in characters. */
  readonly columns: number;
  /** Whether a person reads the output in a window of that width; piped output is not wrapped. */
  readonly isTerminal: boolean;
  readonly hasColour: boolean;
  /** Whether lines may be redrawn: only on a terminal in use. */
  readonly isLive: boolean;
}

/** The properties of a stream that a theme uses. */
export interface StreamFacts {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const widthOffTerminal = 100; // longer lines wrap badly in logs

/** The theme of a stream in this environment. */
export function themeOf(stream: StreamFacts, env: Environment, wantsColour = true): Theme {
  const isTerminal = stream.isTTY === true && env['TERM'] !== 'dumb';
  const hasColour = wantsColour && coloursIn(env, isTerminal);
  return {
    paint: (tone, text) => (hasColour && text !== '' ? styled(styles[tone], text) : text),
    glyphs: drawsUnicode(env, isTerminal) ? drawn : typed,
    columns: (isTerminal ? stream.columns : undefined) ?? widthOffTerminal,
    isTerminal,
    hasColour,
    isLive: isTerminal && (env['CI'] ?? '') === '',
  };
}

/** Whether to use colors: `FORCE_COLOR` overrides `NO_COLOR`, as in Node; then the terminal decides. */
function coloursIn(env: Environment, isTerminal: boolean): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && (env['NO_COLOR'] ?? '') === '';
}

function drawsUnicode(env: Environment, isTerminal: boolean): boolean {
  if (isTerminal && env['TERM'] === 'linux') return false;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'C.UTF-8';
  return /utf-?8/i.test(locale);
}

function styled(style: Style, text: string): string {
  return styleText(style, text, { validateStream: false });
}
