/** Answers a shell that asks what may stand where the cursor is. */
import process from 'node:process';
import type { Context } from '../context.ts';
import { verbs } from '../verbs/index.ts';
import { longFlag, type Choices } from '../verbs/verb.ts';
import { candidatesFor, type Candidate, type Candidates } from './candidates.ts';
import { flagsOf, placeOf, type Place } from './place.ts';
import type { Shell } from './scripts.ts';

/**
 * One line for each candidate: the word, and for shells that show it, a tab and what it says.
 * `:files` says that they are paths, `:open` that the word goes on.
 * @param words the shell's name, then the words so far; the last is being typed
 */
export async function complete(words: readonly string[], context: Context): Promise<string> {
  const [shell = '', ...typed] = words;
  const place = placeOf(typed, verbs);
  const folder = place.values.get('--dir');
  if (folder !== undefined) process.chdir(folder);
  const { candidates, arePaths } = await candidatesAt(place, context);
  const before = place.flag?.before ?? '';
  const fitting = candidates
    .filter(({ word }) => word.startsWith(place.typed) && isPlain(word))
    .map((candidate) => ({ ...candidate, word: `${before}${candidate.word}` }));
  const isOpen = fitting.length > 0 && fitting.every(({ word }) => /[=/]$/.test(word));
  return [
    ...(arePaths && fitting.length > 0 && before === '' ? [':files'] : []),
    ...(isOpen ? [':open'] : []),
    ...fitting.map((candidate) => lineFor(shell, candidate)),
  ]
    .filter((line) => shell !== 'fish' || !line.startsWith(':'))
    .map((line) => `${line}\n`)
    .join('');
}

async function candidatesAt(place: Place, context: Context): Promise<Candidates> {
  const { flag, verb, words, mayFlag, typed } = place;
  if (flag !== undefined) {
    if (longFlag(flag.flag.flags) === '--output') return listed(verb?.formats ?? ['text']);
    return candidatesOf(flag.flag.choices, place, context);
  }
  if (mayFlag && typed.startsWith('-')) {
    const own = flagsOf(verb).map(({ flags, says }) => ({ word: longFlag(flags), says }));
    return { candidates: [...own, { word: '--help', says: 'explain this command' }] };
  }
  if (verb === undefined) return { candidates: verbWords(place.group) };
  const { choices = [] } = verb;
  const goesOn = verb.words.endsWith('...]');
  const at = goesOn ? Math.min(words.length, choices.length - 1) : words.length;
  return candidatesOf(choices[at], place, context);
}

function candidatesOf(
  choices: Choices | undefined,
  place: Place,
  context: Context,
): Candidates | Promise<Candidates> {
  if (choices === undefined) return { candidates: [] };
  return typeof choices === 'string' ? candidatesFor(choices, place, context) : listed(choices);
}

function listed(words: readonly string[]): Candidates {
  return { candidates: words.map((word) => ({ word })) };
}

/** First words of verbs, or the second words of a group. */
function verbWords(group: string | undefined): Candidate[] {
  const start = group === undefined ? '' : `${group} `;
  const found = new Map<string, string>();
  for (const { name, says } of verbs) {
    if (!name.startsWith(start)) continue;
    const [word = '', ...rest] = name.slice(start.length).split(' ');
    if (!found.has(word)) found.set(word, rest.length > 0 ? `${word} …` : says);
  }
  return [...found].map(([word, says]) => ({ word, says }));
}

/** A name with a control character in it is no word a person could type. */
function isPlain(word: string): boolean {
  return !/\p{Cc}/u.test(word);
}

function lineFor(shell: Shell | (string & {}), { word, says }: Candidate): string {
  if (says === undefined || shell === 'bash') return word;
  return `${word}\t${says.replaceAll(/\p{Cc}/gu, ' ')}`;
}
