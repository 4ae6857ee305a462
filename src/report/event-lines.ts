/** The events of a journal as text, one line each, in their order. */
import { deviationsText } from '../api/deviation.ts';
import type { Millis } from '../base/clock.ts';
import { count, plainText, spoken } from '../base/text.ts';
import { successCode } from '../api/errors.ts';
import type { Entry } from '../journal/entry.ts';
import { doubtText } from '../journal/doubt.ts';
import type { Outcome } from '../journal/outcome.ts';
import { allAccounts } from './accounts.ts';
import { stateWord, toneOf, type Tone } from './blocks/block.ts';
import { moment, sizeOf, waitWords, wordsOf } from './words.ts';

/** One event for people. All texts are single lines without control characters. */
export interface EventLine {
  /** Its position in the journal. */
  readonly seq: number;
  /** The machine's wall clock. */
  readonly at: Millis;
  /** The step or action; '' for an event of the whole run. */
  readonly address: string;
  /** What happened, in one or two words: `sent`, `answered`, `done`. */
  readonly word: string;
  readonly text: string;
  readonly tone: Tone;
}

export function eventLine(entry: Entry): EventLine {
  const { address = '', word, text, tone = 'idle' } = wordsFor(entry);
  return {
    seq: entry.seq,
    at: entry.at,
    address: plainText(address, 120),
    word,
    text: plainText(text, 400),
    tone,
  };
}

interface Words {
  readonly address?: string;
  readonly word: string;
  readonly text: string;
  readonly tone?: Tone;
}

function wordsFor(entry: Entry): Words {
  switch (entry.kind) {
    case 'started': {
      const { target } = entry.destination;
      const text = `${entry.playbook.name} on ${allAccounts(entry)} (${target})`;
      return { word: 'started', text };
    }
    case 'resumed':
      return { word: 'resumed', text: 'continues from what the journal proves', tone: 'warn' };
    case 'taken-over':
      return {
        word: 'taken over',
        text: `from ${entry.host}, which did not report its end`,
        tone: 'warn',
      };
    case 'opened': {
      const items = entry.items === undefined ? '' : count(entry.items.length, 'item');
      return { address: entry.step, word: 'started', text: items };
    }
    case 'intended': {
      const attempt = entry.attempt > 1 ? `, attempt ${entry.attempt}` : '';
      return { address: entry.address, word: 'sent', text: `${wordsOf(entry)}${attempt}` };
    }
    case 'answered': {
      const { address, status, code, ms, count: alike = 1, operation } = entry;
      const times = alike === 1 ? '' : `, ${alike} identical responses`;
      const odd = entry.deviations ? `; ${deviationsText(entry.deviations)}` : '';
      const text = `${operation} HTTP ${status} ${code} after ${spoken(ms)}${times}${odd}`;
      return { address, word: 'answer', text, tone: code === successCode ? 'idle' : 'warn' };
    }
    case 'settled':
      return { address: entry.address, ...outcomeWords(entry.outcome) };
    case 'waited': {
      const because = entry.because === undefined ? '' : `: ${entry.because}`;
      const text = `${spoken(entry.ms)} ${waitWords[entry.why]}${because}`;
      return { address: entry.address, word: 'wait', text, tone: 'warn' };
    }
    case 'clock': {
      const text = entry.ms === undefined ? '' : `until ${moment(entry.time + entry.ms)} UTC`;
      return { address: entry.address, word: 'clock', text };
    }
    case 'visibility':
      return { word: 'lists', text: 'whether they show the orders of the account' };
    case 'clock-outlier': {
      const text = `two responses contradict each other by ${spoken(entry.ms)}`;
      return { address: entry.address, word: 'clock', text, tone: 'warn' };
    }
    case 'signalled':
      return { word: 'signal', text: entry.name };
    case 'unmet': {
      const tone = entry.level === 'error' ? 'bad' : 'warn';
      return { address: entry.address, word: 'not met', text: entry.message, tone };
    }
    case 'reading':
      return {
        address: entry.address,
        word: 'reading',
        text: `${entry.operation} into ${entry.file}`,
      };
    case 'paged': {
      const text = `page ${entry.page}, ${count(entry.rows, 'row')} so far`;
      return { address: entry.address, word: 'page', text };
    }
    case 'wrote': {
      const text = `${entry.file}, ${count(entry.rows, 'row')}, ${sizeOf(entry.bytes)}`;
      return { address: entry.step, word: 'wrote', text, tone: 'good' };
    }
    case 'document': {
      const text = `${entry.file}, ${sizeOf(entry.bytes)}`;
      return { address: entry.step, word: 'wrote', text, tone: 'good' };
    }
    case 'closed': {
      const tone = entry.status === 'skipped' ? 'idle' : toneOf(entry.status);
      const word = stateWord(entry.status);
      return { address: entry.step, word, text: entry.because ?? '', tone };
    }
    case 'finished': {
      const text = `exit code ${entry.exit}`;
      return { word: stateWord(entry.status), text, tone: toneOf(entry.status) };
    }
  }
}

function outcomeWords(outcome: Outcome): Omit<Words, 'address'> {
  switch (outcome.kind) {
    case 'done':
      return { word: 'done', text: evidenceWords[outcome.evidence], tone: 'good' };
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
