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
  if (doubts.length > 0) return [{ command: resume, why: settling(doubts) }, requests];
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

function settling(doubts: readonly Doubt[]): string {
  if (doubts.every(({ kind }) => kind === 'order')) {
    const it = doubts.length === 1 ? 'the order up by its clientOid' : 'the orders up by clientOid';
    return `looks ${it}, then goes on`;
  }
  if (doubts.every(({ kind }) => kind === 'sub-account')) {
    return 'asks what became of the sub-account, then goes on';
  }
  return 'settles what is in doubt, then goes on';
}
