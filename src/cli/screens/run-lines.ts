/** The entries of a run as plain lines: time, step, what happened. */
import { count, escapeControls, plainText, spoken } from '../../base/text.ts';
import type { Entry } from '../../journal/entry.ts';
import { accountField, onAccounts } from '../../report/accounts.ts';
import { lateOrders, type LateOrder } from '../../report/late-orders.ts';
import { learnedWords, outlierWords, unlistedWords } from '../../report/assumptions.ts';
import { sizeOf, timeOf } from '../../report/words.ts';
import { padEnd, widthOf } from './columns.ts';
import { readingProgress } from './reading.ts';
import { statusReader, type StatusReader } from './status.ts';

export interface RunLines {
  /** An entry that is not shown, but that later lines depend on. */
  recall(entry: Entry): void;
  /** The lines of the next entry; most have one or none. */
  add(entry: Entry): readonly string[];
  /** What changed last, for a line that says that the run continues. */
  last(): string;
}

export interface RunLinesOptions {
  /** Shows every request and response, too. */
  readonly isVerbose: boolean;
  /** Shows the end of the run; default: not, because its summary follows. */
  readonly hasEnd?: boolean;
}

export function runLines({ isVerbose, hasEnd = false }: RunLinesOptions): RunLines {
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
      const lines: string[] = [];
      const progress = reading.add(entry);
      if (progress !== undefined) {
        const { address: what, text: detail, isDue } = progress;
        last = `${what}${placeOf(entry)}, ${detail}`;
        if (isDue) lines.push(lineOf(entry, { what, word: 'reading', detail }));
      }
      const order = late.add(entry);
      const ownChange = (): ChangeLine | undefined =>
        entry.kind === 'finished' && hasEnd
          ? { what: run, word: wordOf(entry.status), detail: `exit code ${entry.exit}` }
          : changeOf(entry, statuses, isVerbose);
      const change =
        order === undefined || (isVerbose && !order.isFirst) ? ownChange() : lateLine(entry, order);
      if (change !== undefined) {
        last = `${change.what}${placeOf(entry)}`;
        lines.push(lineOf(entry, change));
      }
      return lines;
    },
    last: () => last,
  };
}

interface ChangeLine {
  /** Path of a step or address of an action. */
  readonly what: string;
  /** `done`, `waiting`, `retry`. */
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

/** What an entry changes for a viewer; undefined if it is not worth a line. */
function changeOf(
  entry: Entry,
  statuses: StatusReader,
  isVerbose: boolean,
): ChangeLine | undefined {
  switch (entry.kind) {
    case 'started':
      return startedLine(entry);
    case 'resumed':
      return { what: 'run', word: 'resumed', detail: '' };
    case 'taken-over': {
      const detail = `${plainText(entry.host, 80)} did not report its end: every write is looked up first`;
      return { what: 'run', word: 'taken over', detail };
    }
    case 'visibility':
      return listsLine(entry);
    case 'clock-outlier': {
      const what = plainText(entry.address, 120);
      return { what, word: 'WARNING', detail: outlierWords(entry.ms) };
    }
    case 'opened': {
      if (entry.items === undefined) return undefined;
      const { step: what, items, accounts = [] } = entry;
      const several = accounts.length === 1 ? [] : accounts.filter((account) => account !== '');
      const detail = `${count(items.length, 'item')}${onAccounts(several.map(accountField))}`;
      return { what, word: 'started', detail };
    }
    case 'settled':
      return settledLine(entry, statuses);
    case 'waited':
      return waitedLine(entry);
    case 'unmet': {
      const word = entry.level === 'warn' ? 'warning' : 'unmet';
      return { what: plainText(entry.address, 120), word, detail: plainText(entry.message) };
    }
    case 'wrote': {
      const { step, file, rows, bytes } = entry;
      const detail = `${plainText(file)}  ${count(rows, 'row')}, ${sizeOf(bytes)}${notStored(entry)}`;
      return { what: step, word: 'wrote', detail };
    }
    case 'document': {
      if (notStored(entry) === '') return undefined; // its step names it
      const detail = `${plainText(entry.file)}  ${sizeOf(entry.bytes)}${notStored(entry)}`;
      return { what: entry.step, word: 'wrote', detail };
    }
    case 'closed':
      return closedLine(entry, statuses);
    case 'reading':
    case 'paged':
      return undefined;
    case 'intended':
      return isVerbose ? sentLine(entry) : undefined;
    case 'answered':
      return isVerbose ? answeredLine(entry) : undefined;
    case 'signalled':
      return { what: plainText(entry.name, 120), word: 'signal', detail: '' };
    case 'clock': // the wait it is for is reported by its end
    case 'finished': // the summary follows
      return undefined;
  }
}

type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

/** Why a file is not in the store, if it should be. */
function notStored({ stored }: EntryOf<'wrote' | 'document'>): string {
  if (stored?.in !== 'workspace' || stored.because === undefined) return '';
  return `, only on ${plainText(stored.host, 80)}: ${plainText(stored.because)}`;
}

function startedLine(started: EntryOf<'started'>): ChangeLine {
  const { run, playbook, destination, accounts, plan } = started;
  const names = [destination, ...(accounts ?? [])].map(({ profile }) => profile);
  const facts = [
    plainText(playbook.name, 80),
    `target=${destination.target}`,
    `profile=${plainText(destination.profile, 60)}`,
    ...(accounts ? [`accounts=${plainText(names.join(','), 200)}`] : []),
    ...(plan === undefined ? [] : [`plan=${plainText(plan, 60)}`]),
  ];
  return { what: `run ${plainText(run, 60)}`, word: 'started', detail: facts.join('  ') };
}

function listsLine(entry: EntryOf<'visibility'>): ChangeLine {
  const { profile, orders } = entry;
  const isRefuted = orders === 'unlisted';
  const detail = isRefuted
    ? `${unlistedWords(profile, [entry.line])}; ${learnedWords(entry)}`
    : learnedWords(entry);
  return { what: plainText(profile, 60), word: isRefuted ? 'WARNING' : 'lists', detail };
}

function settledLine(
  { address }: EntryOf<'settled'>,
  statuses: StatusReader,
): ChangeLine | undefined {
  const item = statuses.item(address);
  if (item === undefined) return undefined; // a single action is reported when its step ends
  const took = item.ms > 0 ? { took: spoken(item.ms) } : {};
  return { what: item.address, word: wordOf(item.state), detail: item.detail, ...took };
}

const shortest = 1_000; // ms; shorter waits for a slot are frequent and not reported

function waitedLine({ address, why, ms, because }: EntryOf<'waited'>): ChangeLine | undefined {
  if (why === 'limit' && ms < shortest) return undefined;
  const detail = `${spoken(ms)}  ${plainText(because ?? waitWords[why])}`;
  return { what: plainText(address, 120), word: waitNames[why], detail };
}

/** One line for the whole wait, not one for each of its lookups. */
function lateLine(entry: Entry, { words, isFirst }: LateOrder): ChangeLine | undefined {
  if (!isFirst || !('address' in entry)) return undefined;
  return { what: plainText(entry.address, 120), word: waitNames['look-up'], detail: words };
}

const waitNames = {
  limit: 'waiting',
  retry: 'retry',
  poll: 'polling',
  'look-up': 'look-up',
} as const;
const waitWords = {
  limit: 'for a slot of the rate limit',
  retry: 'before another attempt',
  poll: 'before the next poll',
  'look-up': 'before the next lookup',
} as const;

function closedLine(
  { step, status, because }: EntryOf<'closed'>,
  statuses: StatusReader,
): ChangeLine {
  const line = statuses.step(step);
  const detail = line?.detail || (because === undefined ? '' : plainText(because));
  const took = line !== undefined && line.ms > 0 ? { took: spoken(line.ms) } : {};
  return { what: step, word: wordOf(status), detail, ...took };
}

function sentLine({ address, operation, attempt }: EntryOf<'intended'>): ChangeLine {
  return {
    what: plainText(address, 120),
    word: 'sending',
    detail: `${operation} attempt ${attempt}`,
  };
}

function answeredLine(entry: EntryOf<'answered'>): ChangeLine {
  const { address, operation, status, code, ms, count: alike = 1 } = entry;
  const times = alike === 1 ? '' : `, ${alike} alike`;
  const detail = `${operation} ${status} ${plainText(code, 20)}${times}`;
  return { what: plainText(address, 120), word: 'answer', detail, took: spoken(ms) };
}

function wordOf(state: string): string {
  if (state === 'doubt') return 'in doubt';
  return state === 'not-sent' ? 'not sent' : state;
}
