/** Why a run stopped: the first refusal, failure or unmet expectation, and the lines that asked. */
import { plainText } from '../base/text.ts';
import { textAt } from './json.ts';
import type { ActionStory, StepStory, Story } from './story.ts';
import { stateOf, wordsOf } from './words.ts';

export interface Stop {
  readonly address: string;
  readonly step: string;
  /** Of the step, from 1; absent for steps of `on-failure` and `finally`. */
  readonly number?: number;
  /** Who said so. */
  readonly by: 'exchange' | 'deskhand' | 'expectation';
  /** The exchange's code or ours; '' when none is recorded. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** What was asked: `BTCUSDT buy 9.000 @ 60,500.0`. */
  readonly what?: string;
  readonly file: string;
  readonly line?: number;
  readonly excerpt: readonly ExcerptLine[];
  /** The run continued after it, and no other failure stopped it. */
  readonly continues?: true;
}

export interface ExcerptLine {
  readonly number: number;
  readonly text: string;
  /** The line to look at. */
  readonly isMarked: boolean;
  /** What its expression had become: `9.000`. */
  readonly sent?: string;
}

/** The name of a playbook that a command made of its words: its lines tell no one anything. */
export const ownPlaybook = '(export)';

/** What stopped the run, or else the first failure it continued after; doubts are distinguished. */
export function stopOf(story: Story): Stop | undefined {
  const failed = failedSteps(story);
  const step = failed.find(({ continues }) => !continues) ?? failed[0];
  if (step === undefined) return undefined;
  const stop = actionStop(story, step) ?? unmetStop(story, step) ?? stepStop(story, step);
  return step.continues ? { ...stop, continues: true } : stop;
}

export function failedSteps({ steps }: Story): readonly StepStory[] {
  return steps.filter(({ status }) => status === 'refused' || status === 'failed');
}

function actionStop(story: Story, step: StepStory): Stop | undefined {
  const action = step.actions.find((each) => /^(?:refused|failed)$/.test(stateOf(each, step)));
  const outcome = action?.outcome;
  if (action === undefined) return undefined;
  if (outcome?.kind !== 'refused' && outcome?.kind !== 'failed') return undefined;
  const message = plainText(outcome.message);
  return {
    ...whereabouts(story, step, blamed(story, step, action, message)),
    address: plainText(action.address, 120),
    by: outcome.kind === 'refused' ? 'exchange' : 'deskhand',
    code: plainText(outcome.code, 40),
    message,
    ...(outcome.hint !== undefined && { hint: plainText(outcome.hint) }),
    ...(action.input !== undefined && { what: wordsOf(action) }),
  };
}

function unmetStop(story: Story, step: StepStory): Stop | undefined {
  const unmet = step.unmet.find(({ level }) => level === 'error');
  if (unmet === undefined) return undefined;
  return {
    ...whereabouts(story, step, { line: unmet.line }),
    address: plainText(unmet.address, 120),
    by: 'expectation',
    code: 'expectation',
    message: plainText(unmet.message),
  };
}

/** A step that failed before anything was begun: its closing says why. */
function stepStop(story: Story, step: StepStory): Stop {
  const [action] = step.actions;
  const isOnly = step.actions.length === 1 && action !== undefined;
  const code = isOnly ? action.answers.at(-1)?.code : undefined;
  return {
    ...whereabouts(story, step, step.line === undefined ? undefined : { line: step.line }),
    address: plainText(step.id, 120),
    by: step.status === 'refused' ? 'exchange' : 'deskhand',
    code: step.status === 'refused' ? plainText(code ?? '', 40) : '',
    message: plainText(step.because ?? 'no reason is recorded'),
    ...(step.hint !== undefined && { hint: plainText(step.hint) }),
  };
}

interface Blame {
  readonly line: number;
  readonly sent?: string;
}

/** The line of the field a message mentions, when it mentions just one; else the step's. */
function blamed(
  story: Story,
  step: StepStory,
  { input }: ActionStory,
  message: string,
): Blame | undefined {
  if (step.line === undefined) return undefined;
  const lines = linesOf(story);
  const named: Blame[] = [];
  for (let at = step.line; at < endOfStep(lines, step.line); at++) {
    const field = /^\s*(?:-\s+)?([A-Za-z]+):/.exec(lines[at] ?? '')?.[1];
    const sent = field === undefined ? undefined : textAt(input, field);
    if (field === undefined || sent === undefined || !hasWord(message, field)) continue;
    named.push({ line: at + 1, sent: plainText(sent, 60) });
  }
  return named.length === 1 ? named[0] : { line: step.line };
}

function hasWord(message: string, word: string): boolean {
  return new RegExp(`\\b${word}\\b`, 'i').test(message);
}

const before = 3; // lines shown above the marked one
const after = 2;
const widest = 160; // characters of a line

function whereabouts(
  story: Story,
  step: StepStory,
  blame: Blame | undefined,
): Pick<Stop, 'step' | 'number' | 'file' | 'line' | 'excerpt'> {
  const lines = linesOf(story);
  const { file } = story.started.playbook;
  const first = step.line ?? 1;
  const excerpt: ExcerptLine[] = [];
  const line = file === ownPlaybook ? undefined : blame?.line;
  if (line !== undefined) {
    const from = Math.max(first, line - before);
    const to = Math.min(line + after, endOfStep(lines, first));
    for (let number = from; number <= to; number++) {
      const isMarked = number === line;
      const sent = isMarked ? blame?.sent : undefined;
      const text = plainText(lines[number - 1] ?? '', widest);
      excerpt.push({ number, text, isMarked, ...(sent !== undefined && { sent }) });
    }
    if (from > first) excerpt.unshift(headLine(lines, first));
  }
  return {
    step: plainText(step.id, 60),
    ...(step.number !== undefined && { number: step.number }),
    file: plainText(file, 160),
    ...(line !== undefined && { line }),
    excerpt,
  };
}

function headLine(lines: readonly string[], number: number): ExcerptLine {
  return { number, text: plainText(lines[number - 1] ?? '', widest), isMarked: false };
}

function linesOf({ started }: Story): string[] {
  return started.playbook.text.split(/\r?\n/);
}

/** Number of the last line of the step that begins at a line: less depth ends it. */
function endOfStep(lines: readonly string[], first: number): number {
  const indent = /^ */.exec(lines[first - 1] ?? '')?.[0].length ?? 0;
  let last = first;
  for (let at = first; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const depth = /^ */.exec(line)?.[0].length ?? 0;
    if (depth <= indent) break;
    last = at + 1;
  }
  return last;
}
