/** Sentences about runs that did not end: what they left, and what a person can do. */
import { count, listed, plainText, shellWord } from '../base/text.ts';
import type { SetAsideWord } from '../engine/journal/unfinished.ts';
import type { DoubtsOfOthers } from '../engine/plan/doubts.ts';
import type { UnfinishedRun } from '../engine/plan/unfinished.ts';
import type { NextCommand } from './next.ts';
import { moment, wordsOf } from './words.ts';

/** The sentence: `run r-1 of 2026-11-20 00:41:07 UTC did not end: it sent 30 writes, 1 more is in doubt`. */
export function unfinishedWords({ run, startedAt, sent, inDoubt }: UnfinishedRun): string {
  const parts = [
    ...(sent > 0 ? [`${count(sent, 'write')} sent`] : []),
    ...(inDoubt > 0 ? [`${inDoubt} in doubt`] : []),
  ];
  return `run ${plainText(run, 60)} of ${moment(startedAt)} UTC did not end: ${parts.join(', ')}`;
}

/** The sentences about several runs, with the writes that the plan would repeat. */
export function unfinishedLines(runs: readonly UnfinishedRun[]): readonly string[] {
  return runs.flatMap((each) => {
    const { again, doubts } = each;
    const shown = doubts.slice(0, doubtsMax).map((address) => plainText(address, 80));
    const more = doubts.length > shown.length ? [`${doubts.length - shown.length} more`] : [];
    const repeats =
      again === 0
        ? 'this plan places its own beside them'
        : `this plan places ${again} of them a second time`;
    return [
      `${unfinishedWords(each)}; ${repeats}`,
      ...(doubts.length === 0 ? [] : [`in doubt: ${listed([...shown, ...more])}`]),
    ];
  });
}

const doubtsMax = 5; // addresses shown

/** The writes that other playbooks left in doubt, and whether they block the run, as lines. */
export function doubtsOfOthersLines(doubts: DoubtsOfOthers | undefined): readonly string[] {
  if (doubts === undefined) return [];
  const { writes, isBlocking } = doubts;
  const shown = writes.slice(0, doubtsMax).map(doubtOfOther);
  const more = writes.length > shown.length ? [`${writes.length - shown.length} more`] : [];
  const how = isBlocking ? 'the guard doubts blocks a run until it is settled' : 'look at it first';
  return [...shown, ...more].map((each) => `in doubt: ${each}; ${how}`);
}

/** One of these doubts: `orders[1] of run r-1 (playbook hedge) on main: BTCUSDT open long 0.010 @ 40,000`. */
export function doubtOfOther({
  run,
  playbook,
  profile,
  address,
  operation,
  input,
}: DoubtsOfOthers['writes'][number]): string {
  const whose = `run ${plainText(run, 60)} (playbook ${plainText(playbook, 60)}) on ${plainText(profile, 60)}`;
  return `${plainText(address, 80)} of ${whose}: ${wordsOf({ address, operation, input })}`;
}

/**
 * The remedies of a person before a plan of the playbook can run.
 * @param plan its id or file
 * @param isQueued whether workers execute what the person wants
 */
export function waysOn(
  run: Pick<UnfinishedRun, 'run' | 'doubts'>,
  plan: string,
  isQueued = false,
): readonly NextCommand[] {
  const command = `deskhand run ${shellWord(plan)} --new --reason WHY`;
  const why = isQueued ? 'runs beside it, where the key is' : 'runs beside it';
  return [...waysToEnd(run, isQueued ? ' --queue' : ''), { command, why }];
}

/** The ways to end an unfinished run. @param queue the flag of a resume by a worker */
function waysToEnd(
  { run, doubts }: Pick<UnfinishedRun, 'run' | 'doubts'>,
  queue = '',
): readonly NextCommand[] {
  const id = shellWord(run);
  const [doubt] = doubts;
  const settle = `deskhand resolve ${id} ${shellWord(doubt ?? '')} --abandon`;
  return [
    { command: `deskhand resume ${id}${queue}`, why: 'continues it; nothing is sent twice' },
    ...(doubt === undefined ? [] : [{ command: settle, why: 'abandons what is in doubt' }]),
    asideWay(run),
  ];
}

/** The command that sets a run aside. */
export function asideWay(run: string): NextCommand {
  const command = `deskhand runs set-aside ${shellWord(run)} --reason WHY`;
  return { command, why: 'leaves it as finished by hand' };
}

/** The commands for a run whose rest a later run did: it is not continued. */
export function repeatedWays(run: string, later: string): readonly NextCommand[] {
  const { command } = asideWay(run);
  const requests = `deskhand runs show ${shellWord(run)} --requests`;
  return [
    { command, why: `leaves it as finished by hand: run ${plainText(later, 60)} did the rest` },
    { command: requests, why: 'shows what was sent and when' },
  ];
}

/** The remedies for an unfinished run, for a person who typed `run`, as one sentence. */
export function waysOnWords(run: Pick<UnfinishedRun, 'run' | 'doubts'>): string {
  const ways = waysToEnd(run).map(({ command, why }) => `\`${command}\` ${why}`);
  return [...ways, 'the same `run` with `--new --reason WHY` runs beside it'].join('; ');
}

/** The sentence: `run r-1 was set aside by ana at 2026-11-20 00:41:07 UTC: cancelled by hand`. */
export function asideWords(run: string, word: SetAsideWord): string {
  return `run ${plainText(run, 60)} was ${setAsideWords(word)}`;
}

/** The phrase without the run: `set aside by ana at 2026-11-20 00:41:07 UTC: cancelled by hand`. */
export function setAsideWords({ who, at, reason }: SetAsideWord): string {
  return `set aside by ${plainText(who, 60)} at ${moment(at)} UTC: ${plainText(reason, 300)}`;
}
