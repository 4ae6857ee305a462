/** The commands that a person can use after a run, to copy. */
import { shellWord } from '../base/text.ts';
import type { Doubt } from './answers.ts';
import type { StoryStatus } from './run-status.ts';

export interface NextCommand {
  readonly command: string;
  /** The purpose of the command, in a few words. */
  readonly why: string;
}

/**
 * The commands to use next.
 * @param isOver whether failures are final, so that a resume tries nothing again
 */
export function nextCommands(
  run: string,
  status: StoryStatus,
  doubts: readonly Doubt[],
  isOver: boolean,
): readonly NextCommand[] {
  const resume = `deskhand resume ${shellWord(run)}`;
  const show = showCommand(run);
  const requests = requestsCommand(run);
  if (doubts.length > 0) {
    const goOn = {
      command: resume,
      why: isOver ? 'settles doubts and sends nothing else' : settling(doubts),
    };
    const words = doubts.flatMap((doubt) => personsWords(run, doubt, isOver));
    // Nothing can be looked up for a sub-account: a person comes first.
    const isForPerson = doubts.every(({ kind }) => kind === 'sub-account');
    return isForPerson ? [...words, goOn, requests] : [goOn, ...words, requests];
  }
  switch (status) {
    case 'done':
      return [show];
    case 'stopped':
    case 'doubt':
      if (isOver) return [{ ...show, why: final }, requests];
      return [
        { command: resume, why: 'sends only what is not done; the playbook is unchanged' },
        requests,
      ];
    case 'interrupted':
    case 'unfinished':
      return [
        { command: resume, why: 'continues where it ended; nothing is sent twice' },
        requests,
      ];
  }
}

/** The commands that settle the doubts of a run that was set aside, which no resume does. */
export function settlingCommands(run: string, doubts: readonly Doubt[]): readonly NextCommand[] {
  const orders = doubts.filter(({ kind }) => kind === 'order');
  const others = doubts.filter(({ kind }) => kind !== 'order');
  const lookUp = {
    command: `deskhand resolve ${shellWord(run)} --from-exchange`,
    why: 'looks it up by its clientOid; then a new run can do the rest',
  };
  return [
    ...(orders.length > 0 ? [lookUp] : []),
    ...others.flatMap((doubt) => personsWords(run, doubt, true)),
  ];
}

/** The command that shows a run. */
export function showCommand(run: string): NextCommand {
  return { command: `deskhand runs show ${shellWord(run)}`, why: 'shows this run' };
}

/** The command that lists the requests of a run. */
export function requestsCommand(run: string): NextCommand {
  return { command: `${showCommand(run).command} --requests`, why: 'shows what was sent and when' };
}

/** The hint for a run that continued from a failure: a resume does not try the failed step again. */
const final = 'the failure is final: start a new run for the rest';

/** The statements that a person can make about one doubt, each as a complete command. */
function personsWords(
  run: string,
  { address, kind }: Doubt,
  isOver: boolean,
): readonly NextCommand[] {
  const resolve = `deskhand resolve ${shellWord(run)} ${shellWord(address)}`;
  const id = { order: 'ORDER_ID', 'sub-account': 'SUB_UID', other: undefined }[kind];
  const abandon = {
    command: `${resolve} --abandon`,
    why: abandonWords,
  };
  if (id === undefined) return [abandon];
  return [
    { command: `${resolve} --placed ${id}`, why: foundWords },
    {
      command: `${resolve} --absent`,
      why: absentWords(isOver),
    },
    abandon,
  ];
}

export const foundWords = 'you found it on the exchange';
export const abandonWords = 'abandons it';

/** The meaning of the statement "absent". @param isOver whether a resume tries nothing again */
export function absentWords(isOver: boolean): string {
  return isOver ? 'it does not exist, and is not sent again' : 'resume sends it again';
}

/** The text about a run after a request to stop, which follows the run's name. */
export const stopWords = 'stops: nothing new is sent, and responses are awaited';

function settling(doubts: readonly Doubt[]): string {
  if (doubts.every(({ kind }) => kind === 'order')) {
    const it = doubts.length === 1 ? 'the order up by its clientOid' : 'the orders up by clientOid';
    return `looks ${it}, then continues`;
  }
  if (doubts.every(({ kind }) => kind === 'sub-account')) {
    return 'continues after it is settled';
  }
  return 'settles doubts, then continues';
}
