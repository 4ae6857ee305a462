/** The outcome of a run in four numbers: what was done, refused, left in doubt, and not sent. */
import type { Tone } from '../../base/palette.ts';
import { plainText } from '../../base/text.ts';
import { noDoubtWords } from '../sentences.ts';
import type { Summary } from '../summary.ts';

export interface Tally {
  readonly name: string;
  readonly n: number;
  /** The unit of the number, if the name does not show it: a step may have many actions. */
  readonly unit?: string;
  readonly tone: Tone;
  readonly note: string;
}

const noteMax = 110; // characters below a number; the answers have the rest

/**
 * The tallies of a run.
 * @param inDoubt the writes in doubt; while a run is in progress, others wait for their responses
 */
export function talliesOf(
  summary: Summary,
  { inDoubt = summary.inDoubt, isRunning = false } = {},
): readonly Tally[] {
  const { tally, done, refused, notSent } = summary;
  const noDoubt = noDoubtWords(summary).replace(/^none$/, 'nothing is in doubt');
  const waiting = `${summary.inDoubt.length - inDoubt.length} sent without a response yet`;
  const of = (words: readonly string[], none: string): string => noteOf(words) || none;
  const made = done.map(({ text }) => text);
  const bad = refused.map(({ what }) => what);
  const doubts = inDoubt.map(({ what }) => what);
  const left = notSent.map(({ text, detail }) => `${text}: ${detail}`);
  return [
    { name: 'Done', n: tally.done, unit: 'action', tone: 'good', note: of(made, 'nothing') },
    {
      name: 'Refused',
      n: tally.refused,
      unit: 'action',
      tone: 'bad',
      note: of(bad, 'nothing was refused'),
    },
    {
      name: 'In doubt',
      n: isRunning ? inDoubt.length : tally.inDoubt,
      unit: 'write',
      tone: 'doubt',
      note: of(doubts, isRunning ? waiting : noDoubt),
    },
    {
      name: isRunning ? 'Not sent yet' : 'Not sent',
      n: tally.notSent,
      tone: 'idle',
      note: isRunning ? '' : of(left, 'nothing was left'),
    },
  ];
}

/** As many of the texts as fit, none of them cut in the middle of a word. */
function noteOf(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  if (first.length > noteMax) {
    const start = plainText(first)
      .slice(0, noteMax)
      .replace(/\s\S*$/, '');
    return `${start.replace(/[^\w)\]]+$/, '')} …`;
  }
  let note = plainText(first);
  for (const text of others) {
    const longer = `${note} · ${plainText(text)}`;
    if (longer.length > noteMax) return `${note} …`;
    note = longer;
  }
  return note;
}
