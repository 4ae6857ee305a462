/** The lines of a playbook at which a run stopped, with their numbers. */
import { onAccounts } from '../accounts.ts';
import type { ExcerptLine, Stop } from '../stop.ts';

export interface NumberedLine {
  readonly number: string;
  readonly text: string;
  readonly isMarked: boolean;
}

/**
 * The lines of an excerpt: `⋮` where lines are omitted; a value that was sent follows the line of its
 * expression.
 */
export function excerptLines(lines: readonly ExcerptLine[]): NumberedLine[] {
  const width = Math.max(...lines.map(({ number }) => String(number).length));
  return lines.flatMap(({ number, text, isMarked, sent }, at) => {
    const isGap = number > (lines[at - 1]?.number ?? number) + 1;
    const indent = ' '.repeat(text.length - text.trimStart().length);
    const value = { number: ' '.repeat(width), text: `${indent}↳ sent as ${sent}`, isMarked };
    return [
      ...(isGap ? [{ number: '⋮'.padStart(width), text: '', isMarked: false }] : []),
      { number: String(number).padStart(width), text, isMarked },
      ...(sent === undefined ? [] : [value]),
    ];
  });
}

export function stopTitle({ continues }: Stop): string {
  return continues ? 'What failed' : 'Why it stopped';
}

export function stopPlace({ file, line }: Stop): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** The source of a stop: what ended the run, at which address and account, and with which request. */
export function stopSource(stop: Stop): readonly [string, { code: string }, string] {
  const { by, address, what } = stop;
  const rest = what === undefined ? '' : `: ${what}`;
  return [`${sources[by]} of `, { code: address }, `${onAccounts([stop])}${rest}`];
}

const sources = {
  exchange: 'the exchange’s response to the request',
  deskhand: 'the outcome',
  expectation: 'an expectation on the response',
} as const;
