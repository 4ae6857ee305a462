/** A notification: one sentence, facts, and the command to type. */
import { digestOf } from '../../base/json.ts';
import { listed } from '../../base/text.ts';
import type { Destination, Entry } from '../../engine/journal/entry.ts';
import { allAccounts, onAccounts } from '../../report/accounts.ts';
import type { Inline } from '../../report/blocks/block.ts';
import { doubtLine } from '../../report/blocks/doubt.ts';
import { runFacts } from '../../report/blocks/facts.ts';
import { stopPlace } from '../../report/blocks/excerpt.ts';
import { stateWord } from '../../report/states.ts';
import { summaryOf, type Summary } from '../../report/summary.ts';
import { timeOf } from '../../report/words.ts';
import type { NoticeEvent } from './event.ts';

export interface Notice {
  /**
   * The id of the notification, the same for the same event of the same run: a receiver can ignore a second
   * one.
   */
  readonly id: string;
  readonly event: NoticeEvent;
  readonly sentence: string;
  readonly facts: readonly NoticeFact[];
  /** The command that the reader should type, complete. */
  readonly command?: string;
  readonly playbook: string;
  readonly profile: string;
  readonly target: Destination['target'];
  readonly run?: string;
  /** The address of the run's page. */
  readonly link?: string;
  readonly schedule?: string;
}

type NoticeFact = readonly [name: string, value: string];

/** A notification with its id, which is derived from all of its contents. */
export function noticeOf(notice: Omit<Notice, 'id'>): Notice {
  return { id: idOf(notice), ...notice };
}

/**
 * The notification for the end of a run: that it is in doubt, or that it stopped. An end that is the same as
 * an earlier one of the run was notified of then, on any machine.
 * @param entries the whole journal of the run
 */
export function noticeOfEnd(entries: readonly Entry[]): Notice | undefined {
  const ends = entries.flatMap((entry, at) => (entry.kind === 'finished' ? [at + 1] : []));
  const last = ends.pop();
  const end = last === undefined ? undefined : endAt(entries, last);
  if (end === undefined) return undefined;
  const isKnown = ends.some((before) => endAt(entries, before)?.id === end.id);
  return isKnown ? undefined : end;
}

function endAt(entries: readonly Entry[], length: number): Notice | undefined {
  const last = entries[length - 1];
  if (last?.kind !== 'finished') return undefined;
  if (last.status !== 'doubt' && last.status !== 'stopped') return undefined;
  const summary = summaryOf(entries.slice(0, length));
  const { stop } = summary;
  return last.status === 'doubt'
    ? noticeOfDoubt(summary)
    : noticeOfRun(summary, {
        event: 'stopped',
        what: [stop?.address ?? '', stop?.code ?? '', stop?.message ?? ''],
        facts: stopFacts(summary),
      });
}

/**
 * The notification for a run whose process was killed or crashed: that it is in doubt, or that it stopped. If
 * the run had recorded its end, the notification of that end, which may not have been sent.
 * @param entries the whole journal of the run, which is not empty
 * @param why how the process ended
 */
export function noticeOfCrash(entries: readonly Entry[], why: string): Notice | undefined {
  if (entries.at(-1)?.kind === 'finished') return noticeOfEnd(entries);
  const summary = summaryOf(entries);
  const facts: NoticeFact[] = [['why', why]];
  if (summary.inDoubt.length > 0) return noticeOfDoubt(summary, facts);
  return noticeOfRun(summary, { event: 'stopped', what: [summary.attempts, why], facts });
}

function noticeOfDoubt(summary: Summary, facts: readonly NoticeFact[] = []): Notice {
  const what = summary.inDoubt.map(({ address, attempts }) => [address, attempts]);
  return noticeOfRun(summary, {
    event: 'in-doubt',
    what,
    facts: [...facts, ...doubtFacts(summary)],
  });
}

interface RunEvent {
  readonly event: NoticeEvent;
  /** The values that distinguish the event from other events of the same kind in the run. */
  readonly what: readonly unknown[];
  readonly facts: readonly NoticeFact[];
}

function noticeOfRun(summary: Summary, { event, what, facts }: RunEvent): Notice {
  const { run, destination, playbook, headline, lead } = summary;
  const [next] = summary.next;
  return {
    id: idOf([run, event, what]),
    event,
    sentence: `${playbook.name} on ${allAccounts(summary)} ${headline}. ${lead}`,
    facts: [...facts, ...factsOf(summary)],
    ...(next && { command: next.command }),
    playbook: playbook.name,
    profile: destination.profile,
    target: destination.target,
    run,
  };
}

const doubtsShown = 5;

function doubtFacts({ inDoubt }: Summary): NoticeFact[] {
  const shown = inDoubt.slice(0, doubtsShown).map((doubt): NoticeFact => {
    const { what, clientOid } = doubt;
    const name = clientOid === undefined ? '' : `, clientOid ${clientOid}`;
    return ['in doubt', `${what}${name}; ${doubtLine(doubt)}`];
  });
  const left = inDoubt.length - shown.length;
  return left > 0 ? [...shown, ['in doubt', `${left} more`]] : shown;
}

function stopFacts({ stop }: Summary): NoticeFact[] {
  if (stop === undefined) return [];
  const { address, code, message, hint } = stop;
  return [
    ['where', `${address}${onAccounts([stop])}, ${stopPlace(stop)}`],
    ['why', code === '' ? message : `${code} ${message}`],
    ...(hint === undefined ? [] : [['help', hint] as const]),
  ];
}

const shownFacts: readonly string[] = [
  'account',
  'accounts',
  'host',
  'run',
  'plan',
  'scheduled for',
  'started',
];

function factsOf(summary: Summary): NoticeFact[] {
  return runFacts(summary)
    .filter(([name]) => shownFacts.includes(name))
    .map(([name, value]) => [name, wordsOf(value)]);
}

/** Blocks as plain text. */
function wordsOf(inline: Inline): string {
  if (typeof inline === 'string') return inline;
  if ('code' in inline) return inline.code;
  if ('time' in inline) return timeOf(inline.time);
  if ('digest' in inline) return inline.digest;
  if ('strong' in inline) return wordsOf(inline.strong);
  if ('dim' in inline) return wordsOf(inline.dim);
  if ('lines' in inline) return listed(inline.lines.map(wordsOf));
  if ('state' in inline) return stateWord(inline.state);
  return inline.map(wordsOf).join('');
}

function idOf(value: unknown): string {
  return digestOf(value).slice(0, 16);
}
