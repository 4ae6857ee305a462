/** The state of one step, in the few lines of a live window. */
import { second, type Millis } from '../../base/clock.ts';
import { signs } from '../../base/palette.ts';
import { plainText, spoken } from '../../base/text.ts';
import { doubtText } from '../../engine/journal/doubt.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { accountField, onAccounts } from '../accounts.ts';
import type { ActionAccounts } from '../action-accounts.ts';
import type { LateOrder } from '../late-orders.ts';
import type { Theme } from './theme.ts';

/** An open step: its items and what each of them waits for. */
export interface OpenStep {
  readonly id: string;
  readonly uses: string;
  /** Number of items; 1 for a step without items. */
  readonly total: number;
  readonly isForEach: boolean;
  readonly accounts: ActionAccounts;
  settled: number;
  /** Failed and refused items, and those in doubt, each with the reason. */
  readonly failed: Map<string, string>;
  /** The items in progress. */
  readonly running: Map<string, Running>;
}

/** The state of an item in progress: what it waits for, or its progress: `retry in 3 s  timeout`. */
export interface Running {
  readonly before: string;
  /** When the wait of the item ends, by this machine's clock. */
  readonly until?: Millis;
  readonly after?: string;
}

export function openStep(
  entry: Extract<Entry, { kind: 'opened' }>,
  uses: string,
  accounts: ActionAccounts,
): OpenStep {
  const { step: id, items } = entry;
  return {
    id,
    uses,
    total: items?.length ?? 1,
    isForEach: items !== undefined,
    accounts,
    settled: 0,
    failed: new Map(),
    running: new Map(),
  };
}

/** Updates the step with an entry. @param order the order that may still arrive, for which the step waits */
export function follow(step: OpenStep, entry: Entry, order?: LateOrder): void {
  switch (entry.kind) {
    case 'intended':
    case 'answered':
      step.running.set(entry.address, { before: '' });
      return;
    case 'waited':
      step.running.set(
        entry.address,
        order === undefined ? waitOf(entry) : { before: `${order.words},`, until: order.until },
      );
      return;
    case 'clock':
      if (entry.ms === undefined) return;
      step.running.set(entry.address, { before: 'waits', until: entry.at + entry.ms });
      return;
    case 'asked': {
      const until = entry.at + entry.until - entry.time;
      step.running.set(entry.address, { before: 'waits for an approval,', until });
      return;
    }
    case 'settled': {
      step.running.delete(entry.address);
      step.settled++;
      const { outcome } = entry;
      if (outcome.kind === 'refused' || outcome.kind === 'failed') {
        step.failed.set(entry.address, `${outcome.code} ${outcome.message}`);
      } else if (outcome.kind === 'doubt') step.failed.set(entry.address, doubtText(outcome));
      return;
    }
    default:
  }
}

/** The first line of a step: its name and its progress. */
export function titleOf(step: OpenStep, theme: Theme): string {
  const place = onAccounts([accountField(step.accounts.of(step.id))]);
  const head = `${theme.paint('strong', step.id)}  ${step.uses}${place}`;
  return step.isForEach ? `${head}  ${step.settled} of ${step.total}` : head;
}

/**
 * The lines of a step, at most `room`: failed items first, then running ones, then the number of others.
 * @param now by the machine's clock: waits are counted down
 */
export function rowsOf(step: OpenStep, theme: Theme, room: number, now: Millis): string[] {
  const { paint, glyphs, sign } = theme;
  const nameOf = (address: string): string =>
    `${keyOf(address)}${onAccounts([accountField(step.accounts.of(address))])}`;
  const failed = [...step.failed].map(
    ([address, why]) => `${sign('bad')} ${nameOf(address)}  ${plainText(why)}`,
  );
  const running = [...step.running].map(([address, wait]) => {
    const text = runningText(wait, now);
    const note = text === '' ? '' : `  ${paint('warn', text)}`;
    return step.isForEach ? `${paint('warn', glyphs.dot)} ${nameOf(address)}${note}` : note.trim();
  });
  const rows = [...failed, ...running].filter((row) => row !== '');
  if (rows.length <= room) return rows;
  const done = step.settled - step.failed.size;
  const waiting = step.total - step.settled - step.running.size;
  const besides = rows.length - room + 1;
  const rest = `${theme.more(besides, 'row')}, ${done} done, ${waiting} waiting`;
  return [...rows.slice(0, room - 1), paint('faint', rest)];
}

function keyOf(address: string): string {
  return plainText(address.slice(address.indexOf('[') + 1).replace(/\]$/, ''), 60);
}

/** The text of an item in progress. The current second counts: at 0 the wait is over. */
function runningText({ before, until, after = '' }: Running, now: Millis): string {
  if (until === undefined) return before;
  const seconds = Math.ceil(Math.max(0, until - now) / second);
  const left = seconds < 120 ? `${seconds} s` : spoken(seconds * second);
  return `${before} ${left}  ${after}`.trim();
}

function waitOf(entry: Extract<Entry, { kind: 'waited' }>): Running {
  const { why, at, ms, operation, because } = entry;
  const until = at + ms;
  const after = plainText(because ?? '');
  switch (why) {
    case 'limit':
      return { before: `wait  the limit of ${operation} is used up, next slot in`, until };
    case 'retry':
      return { before: 'retry in', until, after };
    case 'poll':
      return { before: 'reads again in', until };
    case 'look-up':
      return { before: 'looks it up again in', until, after };
  }
}

/** Steps that have not started, one per line, as many as fit. */
export function pendingRows(
  pending: readonly { readonly id: string; readonly uses: string }[],
  theme: Theme,
  room: number,
): string[] {
  const shown = pending.length > room ? pending.slice(0, Math.max(0, room - 1)) : pending;
  const rest = pending.length - shown.length;
  return [
    ...shown.map(
      ({ id, uses }) => `${signs.idle[theme.style]} ${plainText(id, 60)}  ${plainText(uses, 60)}`,
    ),
    ...(rest === 0 ? [] : [theme.more(rest, 'step')]),
  ].map((row) => theme.paint('faint', row));
}
