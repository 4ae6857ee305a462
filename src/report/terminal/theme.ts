/** The theme of a stream: colors, glyphs and width, or plain text. */
import { inked } from '../../base/ink.ts';
import { moreText } from '../../base/text.ts';
import { signs, type Ink, type Tone } from '../../base/palette.ts';

export interface Glyphs {
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
  arrow: '→',
  times: '×',
  dots: '…',
  dot: '·',
  branch: '├─ ',
  lastBranch: '└─ ',
  trunk: '│  ',
};
const typed: Glyphs = {
  arrow: '->',
  times: 'x',
  dots: '...',
  dot: '-',
  branch: '|- ',
  lastBranch: '`- ',
  trunk: '|  ',
};

export interface Theme {
  readonly paint: (ink: Ink, text: string) => string;
  /** The sign of a tone, in its color. */
  readonly sign: (tone: Tone) => string;
  /** The text about the rows that a list does not show: `… 3 more rows`. */
  readonly more: (left: number, what?: string) => string;
  /** Whether signs are drawn, or typed in ASCII. */
  readonly style: 'drawn' | 'typed';
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
  const style = drawsUnicode(env, isTerminal) ? 'drawn' : 'typed';
  const glyphs = style === 'drawn' ? drawn : typed;
  const paint = (ink: Ink, text: string): string =>
    hasColour && text !== '' ? inked(ink, text) : text;
  return {
    paint,
    sign: (tone) => paint(tone, signs[tone][style]),
    more: (left, what) => moreText(left, what, glyphs.dots),
    style,
    glyphs,
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
