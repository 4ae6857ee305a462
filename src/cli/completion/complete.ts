/** Answers a shell's completion query for the word at the cursor. */
import process from 'node:process';
import { escapeControls } from '../../base/text.ts';
import type { Context } from '../context.ts';
import { verbs } from '../verbs/index.ts';
import { longFlag, type Choices } from '../verbs/verb.ts';
import { candidatesFor, type Candidate, type Candidates } from './candidates.ts';
import { flagsOf, placeOf, type Place } from './cursor.ts';
import type { Shell } from './scripts.ts';

/**
 * Prints one line per candidate: the word, and for shells that show it, a tab and a description.
 * `:files` marks paths, `:open` a word that continues.
 * @param words the shell's name, then the words so far; the last is being typed
 */
export async function complete(words: readonly string[], context: Context): Promise<string> {
  const [shell = '', ...typed] = words;
  const place = placeOf(shell === 'bash' ? typed.map(unescaped) : typed, verbs);
  const folder = place.values.get('--dir');
  if (folder !== undefined) process.chdir(folder);
  const { candidates, arePaths } = await candidatesAt(place, context);
  const before = place.flag?.before ?? '';
  const isQuoted = arePaths === true && before === ''; // the shell does not quote a path after --flag=
  const fitting = candidates
    .filter(({ word }) => word.startsWith(place.typed) && isHarmless(word, isQuoted))
    .map((candidate) => ({ ...candidate, word: `${before}${candidate.word}` }));
  const isOpen = fitting.length > 0 && fitting.every(({ word }) => /[=/]$/.test(word));
  return [
    ...(isQuoted && fitting.length > 0 ? [':files'] : []),
    ...(isOpen ? [':open'] : []),
    ...fitting.map((candidate) => lineFor(shell, candidate, isQuoted)),
  ]
    .filter((line) => shell !== 'fish' || !line.startsWith(':'))
    .map((line) => `${line}\n`)
    .join('');
}

/** The typed text without the backslashes, which Bash passes. */
function unescaped(word: string): string {
  return word.replaceAll(/\\(.)/g, '$1');
}

async function candidatesAt(place: Place, context: Context): Promise<Candidates> {
  const { flag, verb, words, mayFlag, typed } = place;
  if (flag !== undefined) {
    if (longFlag(flag.flag.flags) === '--output') return listed(verb?.formats ?? ['text']);
    return candidatesOf(flag.flag.choices, place, context);
  }
  if (mayFlag && typed.startsWith('-')) {
    const own = flagsOf(verb).map(({ flags, description }) => ({
      word: longFlag(flags),
      description,
    }));
    const version = { word: '--version', description: 'print the version' };
    const ofProgram = verb === undefined && place.group === undefined ? [version] : [];
    return {
      candidates: [...own, ...ofProgram, { word: '--help', description: 'show help' }],
    };
  }
  if (verb === undefined) return { candidates: verbWords(place.group) };
  const { choices = [] } = verb;
  const goesOn = verb.positionals.endsWith('...]');
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

/** The candidates for verbs: first words of commands, or the second words of a group. */
function verbWords(group: string | undefined): Candidate[] {
  const start = group === undefined ? '' : `${group} `;
  const found = new Map<string, string>();
  for (const { name, description } of verbs) {
    if (!name.startsWith(start)) continue;
    const [word = '', ...rest] = name.slice(start.length).split(' ');
    if (!found.has(word)) found.set(word, rest.length > 0 ? `${word} …` : description);
  }
  return [...found].map(([word, description]) => ({ word, description }));
}

/**
 * Whether a word has only characters that no shell would run, expand or hide: letters, digits and a
 * few signs. The shell quotes spaces of a path.
 */
function isHarmless(word: string, isPath: boolean): boolean {
  return (
    /^(?!~)[\p{L}\p{M}\p{N}_./:=@%+,[\] -]*$/u.test(word) &&
    escapeControls(word) === word &&
    (isPath || !word.includes(' '))
  );
}

/** The line of a candidate. Bash inserts a word unescaped: a bracket would be a file pattern. */
function lineFor(
  shell: Shell | (string & {}),
  { word, description }: Candidate,
  isPath: boolean,
): string {
  if (shell === 'bash') return isPath ? word : word.replaceAll(/[[\]]/g, String.raw`\$&`);
  return description === undefined ? word : `${word}\t${escapeControls(description)}`;
}
