/** What a person can do after a run, as commands to copy. */
import type { Doubt, RunStatus } from './answers.ts';

export interface NextCommand {
  readonly command: string;
  /** What it does, in a few words. */
  readonly why: string;
}

export function nextCommands(
  run: string,
  status: RunStatus,
  doubts: readonly Doubt[],
): readonly NextCommand[] {
  const resume = `deskhand resume ${run}`;
  const show = `deskhand runs show ${run}`;
  const requests = { command: `${show} --requests`, why: 'what was sent, and when' };
  if (doubts.length > 0) {
    const goOn = { command: resume, why: settling(doubts) };
    const words = doubts.flatMap((doubt) => personsWords(run, doubt));
    // Nothing can be looked up for a sub-account: a person comes first.
    const isForPerson = doubts.every(({ kind }) => kind === 'sub-account');
    return isForPerson ? [...words, goOn, requests] : [goOn, ...words, requests];
  }
  switch (status) {
    case 'done':
      return [{ command: show, why: 'reads it all again' }];
    case 'stopped':
    case 'doubt':
      return [
        { command: resume, why: 'sends only what is not done; the playbook stays as it was' },
        requests,
      ];
    case 'interrupted':
    case 'unfinished':
      return [{ command: resume, why: 'goes on where it ended; nothing is sent twice' }, requests];
  }
}

/** What a person can say of one doubt, each as the whole command. */
function personsWords(run: string, { address, kind }: Doubt): readonly NextCommand[] {
  const resolve = `deskhand resolve ${run} '${address.replaceAll("'", String.raw`'\''`)}'`;
  const id = { order: 'ORDER_ID', 'sub-account': 'SUB_UID', other: undefined }[kind];
  const abandon = {
    command: `${resolve} --abandon`,
    why: 'leaves it undone',
  };
  if (id === undefined) return [abandon];
  return [
    { command: `${resolve} --placed ${id}`, why: 'you saw it there' },
    { command: `${resolve} --absent`, why: 'resume sends it again' },
    abandon,
  ];
}

function settling(doubts: readonly Doubt[]): string {
  if (doubts.every(({ kind }) => kind === 'order')) {
    const it = doubts.length === 1 ? 'the order up by its clientOid' : 'the orders up by clientOid';
    return `looks ${it}, then goes on`;
  }
  if (doubts.every(({ kind }) => kind === 'sub-account')) {
    return 'goes on, once it is settled';
  }
  return 'settles what is in doubt, then goes on';
}
