/** The outcome of a run in plain sentences. */
import type { Millis } from '../base/clock.ts';
import { count, listed, plainText, spoken } from '../base/text.ts';
import { onAccounts } from './accounts.ts';
import type { Group } from './achievements.ts';
import type { Doubt, Refusal, Tally } from './answers.ts';
import { failedSteps, type Stop } from './stop.ts';
import type { Story } from './story.ts';
import type { StoryStatus } from './run-status.ts';

/** How writes without a response were resolved. */
export interface LostAnswers {
  /** Number of attempts at writes without a complete response. */
  readonly lost: number;
  /** Number of writes that were found by a lookup. */
  readonly lookedUp: number;
  /** Number of writes of earlier runs with another key that were found: this run never sent them. */
  readonly adopted: number;
  /** Number of writes that are done only by a person's statement. */
  readonly byPerson: number;
  /** Number of abandoned writes in doubt; each may have been executed. */
  readonly leftUndone: number;
}

export interface Ending {
  readonly status: StoryStatus;
  readonly tookMs: Millis;
  /**
   * The time from the start of the run to its last record, with the pauses between its attempts.
   */
  readonly openMs: Millis;
  readonly tally: Tally;
  readonly done: readonly Group[];
  readonly refused: readonly Refusal[];
  readonly inDoubt: readonly Doubt[];
  readonly notSent: readonly Group[];
  readonly leftUndone: number;
  readonly stop?: Stop;
}

export function sentencesOf(
  story: Story,
  ending: Ending,
): { readonly headline: string; readonly lead: string; readonly rest: string } {
  const rest = [doneSentence(ending), notSentSentence(ending), finalSentence(story, ending)].filter(
    (text) => text !== '',
  );
  return { headline: headlineOf(story, ending), lead: leadOf(story, ending), rest: rest.join(' ') };
}

function headlineOf(story: Story, ending: Ending): string {
  const { status, tally, stop, inDoubt } = ending;
  switch (status) {
    case 'done':
      return `done in ${spoken(ending.tookMs)}`;
    case 'stopped':
      if (stop?.continues) return `finished; ${failedWords(story)} failed`;
      return stop?.number === undefined ? 'stopped' : `stopped at ${place(story, stop.number)}`;
    case 'doubt':
      return tally.inDoubt > 0 ? `stopped with ${doubted(inDoubt)} in doubt` : 'stopped in doubt';
    case 'interrupted':
      return `interrupted${at(story)}`;
    case 'unfinished':
      return tally.inDoubt > 0
        ? `not finished, ${doubted(inDoubt)} in doubt`
        : `not finished${at(story)}`;
  }
}

/** The failed steps after which the run continued, by id. */
function failedWords(story: Story): string {
  const ids = failedSteps(story).map(({ id }) => plainText(id, 60));
  const shown = ids.slice(0, namesMax);
  const more = ids.length - shown.length;
  const names = listed([...shown, ...(more > 0 ? [`${more} more`] : [])]);
  return `${ids.length === 1 ? 'step' : 'steps'} ${names}`;
}

const namesMax = 5; // steps named in a headline

/** The step at which a run ended without failing there. */
function at(story: Story): string {
  const last = story.steps.find(
    ({ number, status }) => number !== undefined && status !== 'done' && status !== 'skipped',
  );
  return last?.number === undefined ? '' : ` at ${place(story, last.number)}`;
}

function place(story: Story, number: number): string {
  return `step ${number} of ${story.started.steps.length}`;
}

function leadOf(story: Story, ending: Ending): string {
  const { status, tally, refused } = ending;
  if (tally.inDoubt > 0) return doubtLead(ending);
  switch (status) {
    case 'done':
      return `${stepsDone(story)}; nothing was refused and ${doubtless(ending)}.`;
    case 'stopped':
    case 'doubt':
      return `${refusedWords(ending, refused)}; ${doubtless(ending)}.`;
    case 'interrupted':
      return `The run was interrupted; ${doubtless(ending)}.`;
    case 'unfinished':
      return story.isSettled
        ? `What was in doubt is settled, and the run is not finished; ${doubtless(ending)}.`
        : `The journal ends before the run does; ${doubtless(ending)}.`;
  }
}

/** The sentence for a run without open doubts; it still mentions abandoned writes. */
function doubtless({ leftUndone }: Ending): string {
  if (leftUndone === 0) return 'nothing is in doubt';
  const what = count(leftUndone, 'request');
  return `a person abandoned ${what} that may or may not have happened`;
}

function doubtLead({ inDoubt, refused, status }: Ending): string {
  const isOne = inDoubt.length === 1;
  const what = `${doubted(inDoubt)} ${isOne ? 'is' : 'are'} in doubt`;
  const why = `${isOne ? 'it' : 'each'} may or may not have happened`;
  const then = `${isOne ? 'it is not' : 'none is'} sent again until its outcome is known`;
  const before = status === 'unfinished' ? 'The journal ends before the run does. ' : '';
  const after = refused.length === 0 ? '' : ` ${count(refused.length, 'action')} failed.`;
  return `${before}${what}: ${why}, and ${then}.${after}`;
}

function doubted(inDoubt: readonly Doubt[]): string {
  const [first] = inDoubt;
  const isAlike = first !== undefined && inDoubt.every(({ kind }) => kind === first.kind);
  const noun = isAlike && first.kind !== 'other' ? first.kind : 'request';
  return count(inDoubt.length, noun);
}

function refusedWords({ stop }: Ending, refused: readonly Refusal[]): string {
  if (refused.length > 1) {
    const byExchange = refused.every(({ by }) => by === 'exchange');
    const what = count(refused.length, 'action');
    return `${what} ${byExchange ? 'were refused by the exchange' : 'failed'}`;
  }
  if (stop === undefined) return 'The run stopped';
  const what = `${stop.address}${onAccounts([stop])}`;
  switch (stop.by) {
    case 'exchange':
      return `${what} was refused by the exchange`;
    case 'deskhand':
      return `${what} failed`;
    case 'expectation':
      return `${what} is done, but differs from the expectation`;
  }
}

function stepsDone(story: Story): string {
  const steps = story.steps.filter(({ number }) => number !== undefined);
  const ended = steps.filter(({ status }) => status === 'done').length;
  if (ended === steps.length) {
    return steps.length === 1 ? 'The step is done' : `All ${steps.length} steps are done`;
  }
  const skipped = steps.length - ended;
  const were = skipped === 1 ? 'was' : 'were';
  return `${ended} of ${count(steps.length, 'step')} are done and ${skipped} ${were} skipped`;
}

function doneSentence({ done }: Ending): string {
  if (done.length === 0) return 'Nothing was done.';
  const words = phrases(done.map(({ text }) => text.replace(/^(\d+ files?), /, '$1 with ')));
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Joins phrases; those that list accounts are separated by semicolons. */
function phrases(texts: readonly string[]): string {
  return texts.some((text) => / on .* and /.test(text)) ? texts.join('; ') : listed(texts);
}

function notSentSentence({ notSent, tally }: Ending): string {
  if (notSent.length === 0) return '';
  const words = phrases(notSent.map(({ text }) => text));
  const were = tally.notSent === 1 ? 'was' : 'were';
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${were} not sent.`;
}

/** The phrase `open for 8 min`; '' for a run that waited for nobody. */
export function openWords({ tookMs, openMs }: Pick<Ending, 'tookMs' | 'openMs'>): string {
  return openMs - tookMs < delayMin ? '' : `open for ${spoken(openMs)}`;
}

const delayMin: Millis = 1_000; // a shorter delay is that of a process that starts

/** The text for a run without open doubts: how each lost response was settled. */
export function noDoubtWords({
  lookedUp,
  adopted,
  lost,
  byPerson,
  leftUndone,
}: LostAnswers): string {
  if (leftUndone > 0) return `none (a person abandoned ${leftUndone})`;
  if (byPerson > 0) return `none (a person recorded ${byPerson} as placed)`;
  const found = `${count(lookedUp, 'lost response')} looked up and found`;
  const again = `${count(lost - lookedUp, 'attempt')} without a response, sent again`;
  const earlier = `${count(adopted, 'write')} of earlier runs found, not sent again`;
  const said = [
    ...(lookedUp > 0 ? [found] : []),
    ...(lost > lookedUp ? [again] : []),
    ...(adopted > 0 ? [earlier] : []),
  ];
  return said.length === 0 ? 'none' : `none (${said.join('; ')})`;
}

/** The sentence for a final failure, which is not retried: it needs a new run. */
function finalSentence({ isOver }: Story, { status, tally }: Ending): string {
  if (!isOver || status !== 'stopped' || tally.inDoubt > 0) return '';
  return 'The run continued after the failure, so resume does not retry it: start a new run.';
}
