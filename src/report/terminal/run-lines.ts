/** The entries of a run as plain lines: time, step, what happened. */
import { escapeControls, plainText, spoken } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { accountField, onAccounts } from '../accounts.ts';
import { stateWord } from '../states.ts';
import { eventLine, notStored } from '../event-lines.ts';
import { lateOrders, type LateOrder } from '../late-orders.ts';
import { waitNames } from '../waits.ts';
import { timeOf } from '../words.ts';
import { padEnd, widthOf } from './columns.ts';
import { readingProgress } from './reading.ts';
import { statusReader, type StatusReader } from './status.ts';

export interface RunLines {
  /** Reads an entry that is not shown, but that later lines depend on. */
  recall(entry: Entry): void;
  /** The lines of the next entry; most have one or none. */
  add(entry: Entry): readonly string[];
  /** The last change as text, for a line that says that the run continues. */
  last(): string;
}

export interface RunLinesOptions {
  /** Whether every request and response is shown, too. */
  readonly isVerbose: boolean;
  /** Whether the end of the run is shown. Default: it is not, because its summary follows. */
  readonly hasEnd?: boolean;
}

export function runLines(options: RunLinesOptions): RunLines {
  const statuses = statusReader();
  let place = 0; // width of the column with the account of a line
  const reading = readingProgress();
  const late = lateOrders();
  let last = 'started';
  let run = 'run';
  const learn = (entry: Entry): void => {
    statuses.add(entry);
    if (entry.kind !== 'started') return;
    run = `run ${plainText(entry.run, 60)}`;
    if (entry.accounts === undefined) return;
    const all = [entry.destination, ...entry.accounts];
    place = Math.max(...all.map(({ profile }) => widthOf(onAccounts([accountField(profile)]))));
  };
  const placeOf = (entry: Entry): string =>
    onAccounts([accountField(statuses.accounts.named(entry))]);
  const lineOf = (entry: Entry, change: ChangeLine): string => {
    return textOf(entry.at, change, place === 0 ? '' : ` ${padEnd(placeOf(entry), place)}`);
  };
  return {
    recall: (entry) => {
      learn(entry);
      reading.add(entry);
      late.add(entry);
    },
    add: (entry) => {
      learn(entry);
      const begun = begunIn(entry);
      if (begun !== undefined) last = `${begun}${placeOf(entry)}`;
      const lines: string[] = [];
      const progress = reading.add(entry);
      if (progress !== undefined) {
        const { address: what, text: detail, isDue } = progress;
        last = `${what}${placeOf(entry)}, ${detail}`;
        if (isDue) lines.push(lineOf(entry, { what, word: 'reading', detail }));
      }
      const order = late.add(entry);
      const ownChange = (): ChangeLine | undefined => {
        const change = changeOf(entry, statuses, options);
        // A line about the whole run names it at its start and at its end.
        const isNamed = entry.kind === 'started' || entry.kind === 'finished';
        return change?.what === '' ? { ...change, what: isNamed ? run : 'run' } : change;
      };
      const change =
        order === undefined || (options.isVerbose && !order.isFirst)
          ? ownChange()
          : lateLine(entry, order);
      if (change !== undefined) {
        last = `${change.what}${placeOf(entry)}`;
        lines.push(lineOf(entry, change));
      }
      return lines;
    },
    last: () => last,
  };
}

/** The step or the action that an entry begins, with a line or without one. */
function begunIn(entry: Entry): string | undefined {
  if (entry.kind === 'opened') return entry.step;
  return entry.kind === 'intended' ? entry.address : undefined;
}

interface ChangeLine {
  /** Path of a step or address of an action; '' for an event of the whole run. */
  readonly what: string;
  /** The event in a word: `done`, `waiting`, `retry`. */
  readonly word: string;
  readonly detail: string;
  readonly took?: string;
}

function textOf(at: number, { what, word, detail, took }: ChangeLine, where: string): string {
  const name = padEnd(plainText(what, 200), 24);
  const start = `${timeOf(at).slice(0, 8)} ${name}${where}  ${padEnd(word, 9)}`;
  const line =
    took === undefined ? `${start}  ${detail}` : `${start}  ${padEnd(detail, 36)}  ${took}`;
  return escapeControls(line).trimEnd();
}

/** The line for an entry; undefined if the entry is not worth one. */
function changeOf(
  entry: Entry,
  statuses: StatusReader,
  { isVerbose, hasEnd = false }: RunLinesOptions,
): ChangeLine | undefined {
  switch (entry.kind) {
    case 'opened':
      return entry.items === undefined ? undefined : eventChange(entry);
    case 'settled':
      return settledLine(entry, statuses);
    case 'closed':
      return closedLine(entry, statuses);
    case 'waited':
      return entry.why === 'limit' && entry.ms < shortest ? undefined : eventChange(entry);
    case 'document': // otherwise its step names it
      return notStored(entry) === '' ? undefined : eventChange(entry);
    case 'intended':
    case 'answered':
      return isVerbose ? eventChange(entry) : undefined;
    case 'finished':
      return hasEnd ? eventChange(entry) : undefined;
    case 'reading':
    case 'paged':
    case 'clock': // the wait it is for is reported by its end
      return undefined;
    default:
      return eventChange(entry);
  }
}

/** The line for an event, in the words that the page uses, too. */
function eventChange(entry: Entry): ChangeLine {
  const { address: what, word, text: detail, took } = eventLine(entry);
  return { what, word, detail, ...(took !== undefined && { took: spoken(took) }) };
}

type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

function settledLine(
  { address }: EntryOf<'settled'>,
  statuses: StatusReader,
): ChangeLine | undefined {
  const item = statuses.item(address);
  if (item === undefined) return undefined; // a single action is reported when its step ends
  const took = item.ms > 0 ? { took: spoken(item.ms) } : {};
  return { what: item.address, word: stateWord(item.state), detail: item.detail, ...took };
}

const shortest = 1_000; // ms; shorter waits for a slot are frequent and not reported

/** The line for a late order: one for the whole wait, not one for each of its lookups. */
function lateLine(entry: Entry, { words, isFirst }: LateOrder): ChangeLine | undefined {
  if (!isFirst || !('address' in entry)) return undefined;
  return { what: plainText(entry.address, 120), word: waitNames['look-up'], detail: words };
}

function closedLine(
  { step, status, because }: EntryOf<'closed'>,
  statuses: StatusReader,
): ChangeLine {
  const line = statuses.step(step);
  const detail = line?.detail || (because === undefined ? '' : plainText(because));
  const took = line !== undefined && line.ms > 0 ? { took: spoken(line.ms) } : {};
  return { what: step, word: stateWord(status), detail, ...took };
}
