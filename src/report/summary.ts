/** The end of a run in five answers: done, refused, in doubt, not sent, and what to do next. */
import type { Millis } from '../base/clock.ts';
import type { ExitCode } from '../base/error.ts';
import { plainText } from '../base/text.ts';
import type { Destination, Entry, Evidence, GuardResult } from '../engine/journal/entry.ts';
import type { Orphan } from '../engine/journal/orphan.ts';
import { accountField, type OnAccount } from './accounts.ts';
import { nextOf } from './again.ts';
import { doneGroups, notSentGroups, skippedGroups, type Group } from './achievements.ts';
import {
  doubtsOf,
  everyAction,
  refusalsOf,
  type Doubt,
  type Placed,
  type Refusal,
  type Tally,
} from './answers.ts';
import { basesOf, type Basis } from './assumptions.ts';
import { filesOf, type FileLine } from './file-lines.ts';
import type { NextCommand } from './next.ts';
import { ordersOf, type OrderLine } from './orders.ts';
import { outputLines, type OutputLine } from './named-outputs.ts';
import { sentencesOf, type LostAnswers } from './sentences.ts';
import { waitedMs } from './timing.ts';
import { stepLines, type StepLine } from './step-lines.ts';
import { stopOf, type Stop } from './stop.ts';
import { storyOf, type ActionStory, type Story } from './story.ts';
import { setAsideWords } from './unfinished-runs.ts';
import { waitReasons } from './waits.ts';
import type { StoryStatus } from './run-status.ts';

/**
 * Everything a report or screen shows at the end. All texts are single lines without control
 * characters.
 */
export interface Summary extends LostAnswers {
  readonly run: string;
  readonly playbook: { readonly name: string; readonly file: string };
  readonly destination: Destination;
  /** Accounts, besides that of the run, that steps name. */
  readonly accounts?: readonly Destination[];
  readonly plan?: string;
  /** Names of the plan's approvers; absent if none were required. */
  readonly approvedBy?: readonly string[];
  /** The commit the plan was made at, in a repository. */
  readonly commit?: string;
  /** The scheduled time of the run. */
  readonly scheduledFor?: Millis;
  readonly program: string;
  readonly status: StoryStatus;
  /** The exit code; absent while the run is not finished. */
  readonly exit?: ExitCode;
  readonly startedAt: Millis;
  /** The total duration of all attempts, without the pauses between them. */
  readonly tookMs: Millis;
  /**
   * The time from the start to the last record, with the pauses in which the run waited for a
   * person.
   */
  readonly openMs: Millis;
  /** The number of attempts: 1 plus the number of resumes. */
  readonly attempts: number;
  /** The status in one line, such as `stopped at step 3 of 5`. */
  readonly headline: string;
  /** The outcome in a sentence, with further remarks. */
  readonly lead: string;
  readonly rest: string;
  /** Who set the run aside, when and why; absent if it may continue. */
  readonly setAside?: string;
  readonly tally: Tally;
  readonly done: readonly Group[];
  readonly refused: readonly Refusal[];
  readonly inDoubt: readonly Doubt[];
  readonly notSent: readonly Group[];
  readonly skipped: readonly Group[];
  /** Why the run stopped, if a step was refused or failed. */
  readonly stop?: Stop;
  readonly next: readonly NextCommand[];
  readonly orders: readonly OrderLine[];
  readonly steps: readonly StepLine[];
  readonly files: readonly FileLine[];
  readonly outputs: readonly OutputLine[];
  readonly warnings: readonly Warning[];
  /** Open orders of earlier runs that were no longer in the playbook at its start. */
  readonly orphans: readonly Orphan[];
  /** The assumptions for each account of a run that places orders. */
  readonly bases: readonly Basis[];
  /** Usage of every limit in force; empty until the run ends. */
  readonly guards: readonly GuardResult[];
  readonly requests: number;
  readonly retries: number;
  readonly longestWait?: LongestWait;
}

export interface LongestWait extends OnAccount {
  readonly ms: Millis;
  readonly why: string;
  readonly address: string;
}

export interface Warning extends OnAccount {
  readonly address: string;
  readonly message: string;
  readonly line: number;
}

/** Summarizes a journal. @param entries a whole journal, in order; equal entries give equal summaries */
export function summaryOf(entries: readonly Entry[], writing?: Writing): Summary {
  return summaryOfStory(storyOf(entries), writing);
}

/** A page that the run itself is writing: the status is that of the steps before the page. */
interface Writing {
  readonly isWriting: boolean;
}

/** The summary of a journal that has been folded already. */
export function summaryOfStory(
  story: Story,
  { isWriting }: Writing = { isWriting: false },
): Summary {
  const { started, finished, attempts } = story;
  const orders = ordersOf(story);
  const answers = {
    done: doneGroups(story, orders),
    refused: refusalsOf(story),
    inDoubt: doubtsOf(story),
    notSent: notSentGroups(story),
    skipped: skippedGroups(story),
  };
  const tally = {
    done: total(answers.done),
    refused: answers.refused.length,
    inDoubt: answers.inDoubt.length,
    notSent: total(answers.notSent),
  };
  const stop = stopOf(story);
  const soFar = statusSoFar(story, tally);
  // Without an end in the record, nothing shows that the run did not continue.
  const status = finished?.status ?? (soFar === 'done' && !isWriting ? 'unfinished' : soFar);
  const times = timesOf(story);
  const longest = longestWaitOf(story);
  const leftUndone = everyAction(story).filter(isLeftUndone).length;
  const ending = { ...answers, tally, status, ...times, leftUndone, ...(stop && { stop }) };
  return {
    run: plainText(started.run, 60),
    playbook: {
      name: plainText(started.playbook.name, 80),
      file: plainText(started.playbook.file, 160),
    },
    destination: started.destination,
    ...(started.accounts && { accounts: started.accounts }),
    ...basisOf(story),
    program: plainText(started.program, 80),
    ...(finished && { exit: finished.exit }),
    startedAt: started.at,
    attempts: attempts.length,
    ...ending,
    ...sentencesOf(story, ending),
    ...(story.setAside && { setAside: setAsideWords(story.setAside) }),
    next: nextOf(story, status, answers.inDoubt),
    orders,
    steps: stepLines(story, orders),
    files: filesOf(story),
    outputs: outputLines(story),
    warnings: warningsOf(story),
    orphans: started.orphans ?? [],
    bases: basesOf(story),
    guards: (finished?.guards ?? []).map(plainGuard),
    requests: everyAction(story).reduce((sum, { action }) => sum + requestsOf(action), 0),
    retries: waitsOf(story).filter(({ wait }) => wait.why === 'retry').length,
    lookedUp: doneBy(story, 'looked-up') - adoptedIn(story),
    adopted: adoptedIn(story),
    lost: everyAction(story).reduce((sum, { action }) => sum + lostOf(action), 0),
    byPerson: doneBy(story, 'by-person'),
    ...(longest && { longestWait: longest }),
  };
}

function timesOf({ attempts, started, until }: Story): Pick<Summary, 'tookMs' | 'openMs'> {
  const tookMs = attempts.reduce((sum, { from, to }) => sum + to - from, 0);
  return { tookMs, openMs: until - started.at };
}

/** The basis of the run: a plan, approvals, a commit, an occurrence of a schedule. */
function basisOf({
  started: { plan, approvals, commit, scheduledFor },
}: Story): Pick<Summary, 'plan' | 'approvedBy' | 'commit' | 'scheduledFor'> {
  return {
    ...(plan !== undefined && { plan: plainText(plan, 80) }),
    ...(approvals && { approvedBy: approvals.map(({ who }) => plainText(who, 100)) }),
    ...(commit !== undefined && { commit: plainText(commit, 80) }),
    ...(scheduledFor !== undefined && { scheduledFor }),
  };
}

function plainGuard({
  guard,
  account,
  within,
  limit,
  used,
  isKept,
  message,
}: GuardResult): GuardResult {
  return {
    guard: plainText(guard, 120),
    ...(account !== undefined && { account: plainText(account, 120) }),
    ...(within !== undefined && { within: plainText(within, 120) }),
    limit: plainText(limit, 120),
    used: plainText(used, 120),
    isKept,
    message: plainText(message, 200),
  };
}

/** The status of a run that has no end yet, as a page of the `finally` steps shows it. */
function statusSoFar(story: Story, tally: Tally): StoryStatus {
  const declared = story.steps.filter(({ number }) => number !== undefined);
  const isUnderWay = declared.some(({ isOpened, status }) => isOpened && status === undefined);
  if (tally.inDoubt > 0 && !isUnderWay) return 'doubt';
  if (story.steps.some(({ status }) => status === 'interrupted')) return 'interrupted';
  if (isUnderWay) return 'unfinished';
  if (story.steps.some(({ status }) => status === 'doubt')) return 'unfinished'; // settled later
  if (story.steps.some(({ status }) => status === 'refused' || status === 'failed')) {
    return 'stopped';
  }
  return declared.every(({ status }) => status !== undefined) ? 'done' : 'unfinished';
}

function warningsOf(story: Story): Warning[] {
  return story.steps.flatMap(({ unmet }) =>
    unmet
      .filter(({ level }) => level === 'warn')
      .map(({ address, account, message, line }) => ({
        address: plainText(address, 120),
        ...accountField(account),
        message: plainText(message),
        line,
      })),
  );
}

/** Whether an action was abandoned; an outer step is not counted in addition to its nested one. */
function isLeftUndone({ action: { outcome, intents, isOpen } }: Placed): boolean {
  const isSent = intents.length > 0 && !isOpen;
  return isSent && outcome?.kind === 'skipped' && outcome.person !== undefined;
}

/** The number of actions that one kind of evidence shows to be done. */
function doneBy(story: Story, evidence: Evidence): number {
  return everyAction(story).filter(
    ({ action: { outcome } }) => outcome?.kind === 'done' && outcome.evidence === evidence,
  ).length;
}

/** The number of writes that a lookup found and that this run never sent. */
function adoptedIn(story: Story): number {
  return everyAction(story).filter(
    ({ action: { outcome, intents } }) =>
      outcome?.kind === 'done' && outcome.evidence === 'looked-up' && intents.length === 0,
  ).length;
}

/** The number of attempts at a write without a complete response. */
function lostOf({ intents, answers }: ActionStory): number {
  const whole = answers.filter(({ code }) => code !== '');
  return Math.max(0, intents.length - whole.reduce((sum, { count: alike = 1 }) => sum + alike, 0));
}

/** The number of requests: responses plus attempts without a response. */
function requestsOf({ intents, answers }: ActionStory): number {
  const answered = answers.reduce((sum, { count: alike = 1 }) => sum + alike, 0);
  return Math.max(intents.length, answered);
}

function waitsOf(
  story: Story,
): { readonly action: ActionStory; readonly wait: ActionStory['waits'][number] }[] {
  return everyAction(story).flatMap(({ action }) => action.waits.map((wait) => ({ action, wait })));
}

function longestWaitOf(story: Story): Summary['longestWait'] {
  const waits = waitsOf(story).map((one) => ({ ...one, ms: waitedMs(story, one.wait) }));
  const [longest] = waits.toSorted((a, b) => b.ms - a.ms);
  if (longest === undefined) return undefined;
  const { ms, wait, action } = longest;
  return {
    ms,
    why: waitReasons[wait.why],
    address: plainText(action.address, 120),
    ...accountField(action.account),
  };
}

function total(groups: readonly Group[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}
