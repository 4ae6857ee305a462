/** The entries of a journal as events in words, one line each: the page and the terminal show the same. */
import { approvedWords } from './question.ts';
import { deviationsText } from '../exchange/api/deviation.ts';
import type { Millis } from '../base/clock.ts';
import { count, plainText, spoken } from '../base/text.ts';
import { successCode } from '../exchange/api/errors.ts';
import type { Entry } from '../engine/journal/entry.ts';
import { doubtText } from '../engine/journal/doubt.ts';
import type { Outcome } from '../engine/journal/outcome.ts';
import { accountField, onAccounts } from './accounts.ts';
import { learnedWords, outlierWords, unlistedWords } from './assumptions.ts';
import type { Tone } from '../base/palette.ts';
import { stateWord, toneOf } from './states.ts';
import { waitNames, waitReasons } from './waits.ts';
import { moment, sizeOf, wordsOf } from './words.ts';

/** One event for people. All of its texts are single lines without control characters. */
export interface EventLine {
  /** The number of its entry in the journal. */
  readonly seq: number;
  /** The time by the machine's wall clock. */
  readonly at: Millis;
  /** The step or action; '' for an event of the whole run. */
  readonly address: string;
  /** The event in one or two words: `sent`, `answered`, `done`. */
  readonly word: string;
  readonly text: string;
  readonly tone: Tone;
  /** Milliseconds until the response. */
  readonly took?: Millis;
}

/**
 * The event of an entry.
 * @param asked the addresses whose requests the exchange answered; default: every address
 */
export function eventLine(entry: Entry, asked?: ReadonlySet<string>): EventLine {
  const { address = '', word, text, tone = 'idle', took } = wordsFor(entry, asked);
  return {
    seq: entry.seq,
    at: entry.at,
    address: plainText(address, 120),
    word,
    text: plainText(text, 400),
    tone,
    ...(took !== undefined && { took }),
  };
}

interface Words {
  readonly address?: string;
  readonly word: string;
  readonly text: string;
  readonly tone?: Tone;
  readonly took?: Millis;
}

function wordsFor(entry: Entry, asked?: ReadonlySet<string>): Words {
  switch (entry.kind) {
    case 'started':
      return { word: 'started', text: startedText(entry) };
    case 'resumed':
      return { word: 'resumed', text: 'continues from what the journal proves', tone: 'warn' };
    case 'taken-over':
      return takenOverWords(entry);
    case 'opened':
      return openedWords(entry);
    case 'intended':
      return sentWords(entry);
    case 'answered':
      return answerWords(entry);
    case 'settled':
      return { address: entry.address, ...settledWords(entry, asked) };
    case 'waited':
      return waitedWords(entry);
    case 'clock':
      return clockWords(entry);
    case 'asked':
      return askedWords(entry);
    case 'visibility':
      return visibilityWords(entry);
    case 'clock-outlier':
      return warning(entry.address, outlierWords(entry.ms));
    case 'signalled':
      return { address: entry.name, word: 'signal', text: '' };
    case 'unmet':
      return unmetWords(entry);
    case 'reading':
      return readingWords(entry);
    case 'paged':
      return pageWords(entry);
    case 'wrote':
      return wroteWords(entry, `${count(entry.rows, 'row')}, `);
    case 'document':
      return wroteWords(entry);
    case 'closed':
      return closedWords(entry);
    case 'finished':
      return finishedWords(entry);
  }
}

type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

function startedText({ playbook, destination, accounts, plan }: EntryOf<'started'>): string {
  const names = [destination, ...(accounts ?? [])].map(({ profile }) => profile);
  const facts = [
    plainText(playbook.name, 80),
    `target=${destination.target}`,
    `profile=${plainText(destination.profile, 60)}`,
    ...(accounts ? [`accounts=${plainText(names.join(','), 200)}`] : []),
    ...(plan === undefined ? [] : [`plan=${plainText(plan, 60)}`]),
  ];
  return facts.join('  ');
}

function takenOverWords({ host }: EntryOf<'taken-over'>): Words {
  const text = `${plainText(host, 80)} did not report its end: every write is looked up first`;
  return { word: 'taken over', text, tone: 'warn' };
}

function openedWords({ step: address, items, accounts = [] }: EntryOf<'opened'>): Words {
  const several = accounts.length === 1 ? [] : accounts.filter((account) => account !== '');
  const many = items === undefined ? '' : count(items.length, 'item');
  return { address, word: 'started', text: `${many}${onAccounts(several.map(accountField))}` };
}

function sentWords(entry: EntryOf<'intended'>): Words {
  const attempt = entry.attempt > 1 ? `, attempt ${entry.attempt}` : '';
  return { address: entry.address, word: 'sent', text: `${wordsOf(entry)}${attempt}` };
}

function answerWords(entry: EntryOf<'answered'>): Words {
  const { address, status, code, ms, count: alike = 1, operation } = entry;
  const times = alike === 1 ? '' : `, ${alike} identical responses`;
  const odd = entry.deviations ? `; ${deviationsText(entry.deviations)}` : '';
  const text = `${operation} HTTP ${status} ${plainText(code, 20)}${times}${odd}`;
  const tone = code === successCode ? 'idle' : 'warn';
  return { address, word: 'answer', text, tone, took: ms };
}

function waitedWords({ address, why, ms, because = waitReasons[why] }: EntryOf<'waited'>): Words {
  return { address, word: waitNames[why], text: `${spoken(ms)}  ${because}`, tone: 'warn' };
}

function clockWords({ address, time, ms }: EntryOf<'clock'>): Words {
  const text = ms === undefined ? '' : `until ${moment(time + ms)} UTC`;
  return { address, word: 'clock', text };
}

function askedWords({ address, text, until }: EntryOf<'asked'>): Words {
  const asked = plainText(text, 200);
  return { address, word: 'asks', text: `${asked}  until ${moment(until)} UTC`, tone: 'warn' };
}

function visibilityWords(entry: EntryOf<'visibility'>): Words {
  const { profile: address, orders, line } = entry;
  const learned = learnedWords(entry);
  return orders === 'unlisted'
    ? warning(address, `${unlistedWords(address, [line])}; ${learned}`)
    : { address, word: 'lists', text: learned };
}

/** The event for an assumption about the exchange that proved false. */
function warning(address: string, text: string): Words {
  return { address, word: 'WARNING', text, tone: 'warn' };
}

function unmetWords({ address, message: text, level }: EntryOf<'unmet'>): Words {
  return level === 'error'
    ? { address, word: 'unmet', text, tone: 'bad' }
    : { address, word: 'warning', text, tone: 'warn' };
}

function readingWords({ address, operation, file }: EntryOf<'reading'>): Words {
  return { address, word: 'reading', text: `${operation} into ${file}` };
}

function pageWords({ address, page, rows }: EntryOf<'paged'>): Words {
  return { address, word: 'page', text: `page ${page}, ${count(rows, 'row')} so far` };
}

/** The text for a written file. @param content what the file has, before its size */
function wroteWords(entry: EntryOf<'wrote' | 'document'>, content = ''): Words {
  const text = `${plainText(entry.file)}  ${content}${sizeOf(entry.bytes)}${notStored(entry)}`;
  return { address: entry.step, word: 'wrote', text, tone: 'good' };
}

function closedWords({ step: address, status, because = '' }: EntryOf<'closed'>): Words {
  const tone = status === 'skipped' ? 'idle' : toneOf(status);
  // The event of the write, which is before this one, has the reason.
  return { address, word: stateWord(status), text: status === 'doubt' ? '' : because, tone };
}

function finishedWords({ status, exit }: EntryOf<'finished'>): Words {
  return { word: stateWord(status), text: `exit code ${exit}`, tone: toneOf(status) };
}

/** Why a file is only on the machine that wrote it, if it should be in a store; otherwise ''. */
export function notStored({ stored }: EntryOf<'wrote' | 'document'>): string {
  if (stored?.in !== 'workspace' || stored.because === undefined) return '';
  return `, only on ${plainText(stored.host, 80)}: ${plainText(stored.because)}`;
}

function settledWords(
  { address, outcome }: EntryOf<'settled'>,
  asked: ReadonlySet<string> = new Set([address]),
): Omit<Words, 'address'> {
  if (outcome.kind === 'doubt' && outcome.at !== undefined) {
    return { word: 'in doubt', text: outcome.at.address, tone: 'doubt' };
  }
  const words = outcomeWords(outcome);
  const isLocal = outcome.kind === 'done' && outcome.evidence === 'answered' && !asked.has(address);
  return isLocal ? { ...words, text: '' } : words;
}

function outcomeWords(outcome: Outcome): Omit<Words, 'address'> {
  switch (outcome.kind) {
    case 'done':
      return {
        word: 'done',
        text: approvedWords(outcome.output) || evidenceWords[outcome.evidence],
        tone: 'good',
      };
    case 'skipped':
      return { word: 'skipped', text: outcome.because };
    case 'refused':
    case 'failed': {
      const by =
        'person' in outcome && outcome.person ? ` (recorded by ${outcome.person.who})` : '';
      return { word: outcome.kind, text: `${outcome.code} ${outcome.message}${by}`, tone: 'bad' };
    }
    case 'doubt':
      return { word: 'in doubt', text: doubtText(outcome), tone: 'doubt' };
  }
}

const evidenceWords = {
  answered: 'answered by the exchange',
  'looked-up': 'found by a lookup',
  'from-ledger': 'in the ledger: an earlier run did it',
  'from-plan': 'read by the plan',
  'by-person': 'recorded by a person',
} as const;
