/** Quick fixes: the change that a problem's hint names, offered only if the checker accepts it. */
import type { Problem } from '../../language/problem.ts';
import { checkedText, type Surroundings } from './checked.ts';
import type { TextRange } from './steps.ts';

export interface Fix {
  readonly title: string;
  readonly problem: Problem;
  readonly at: TextRange;
  readonly text: string;
}

const problemsMax = 20; // of a range, such as the whole text: each fix is checked with all of it

/**
 * The fixes of the first problems that overlap a range, best first for each.
 * @param range in UTF-16 units
 */
export function fixesAt(
  text: string,
  range: TextRange,
  file: string,
  surroundings: Surroundings,
): readonly Fix[] {
  const { problems } = checkedText(text, file, surroundings);
  return problems
    .filter(({ at }) => at.file === file)
    .filter(({ at }) => at.start.offset <= range.end && range.start <= at.end.offset)
    .slice(0, problemsMax)
    .flatMap((problem) => {
      const isAccepted = (fix: Fix): boolean => helps(fix, text, file, surroundings);
      return candidates(problem, text).find(isAccepted) ?? [];
    });
}

/** Whether a fix removes its problem, and makes no other one where it changes the text. */
function helps(fix: Fix, text: string, file: string, surroundings: Surroundings): boolean {
  const { problem, at } = fix;
  const changed = `${text.slice(0, at.start)}${fix.text}${text.slice(at.end)}`;
  const { problems } = checkedText(changed, file, surroundings);
  const end = Math.max(problem.at.end.offset, at.end) + fix.text.length - (at.end - at.start);
  const start = Math.min(problem.at.start.offset, at.start);
  return problems.every(
    (each) => each.at.file !== file || each.at.end.offset <= start || end <= each.at.start.offset,
  );
}

/** The changes that a hint may mean. */
function candidates(problem: Problem, text: string): readonly Fix[] {
  const { hint = '', at } = problem;
  const whole = { start: at.start.offset, end: at.end.offset };
  const written = text.slice(whole.start, whole.end);
  const fix = (title: string, place: TextRange, replacement: string): Fix => ({
    title,
    problem,
    at: place,
    text: replacement,
  });
  const meant = meantIn(hint);
  if (meant !== undefined) {
    return wrongWords(problem, written).map(({ start, end }) => {
      const place = { start: whole.start + start, end: whole.start + end };
      return fix(`write ${meant} instead of ${text.slice(place.start, place.end)}`, place, meant);
    });
  }
  const path = /^add a default: \{\{ default (\S+) \u2026 \}\}/.exec(hint)?.[1];
  if (path !== undefined) {
    const isAlone =
      /\{\{\s*$/.test(text.slice(0, whole.start)) && /^\s*\}\}/.test(text.slice(whole.end));
    return ['0', "''", 'false'].map((value) => {
      const call = `default ${path} ${value}`;
      return fix(`add a default: ${call}`, whole, isAlone ? call : `(${call})`);
    });
  }
  return otherForms(hint, written).map((form) => fix(`write ${form}`, whole, form));
}

/** The word of a hint such as `did you mean "x"?`, which may also be bare or in single quotes. */
function meantIn(hint: string): string | undefined {
  const [, json, single, bare] =
    /^did you mean (?:("(?:[^"\\]|\\.)*")|'([^']*)'|(\S+))\?$/.exec(hint) ?? [];
  return json === undefined ? (single ?? bare) : String(JSON.parse(json));
}

/** Where the wrong word can be: the words that the message quotes, or else all that is written. */
function wrongWords({ message }: Problem, written: string): readonly TextRange[] {
  const quoted = [...message.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([word]) =>
    String(JSON.parse(word)),
  );
  const last = quoted.map((word) => ({ word, start: written.lastIndexOf(word) }));
  const found = last.filter(({ word, start }) => word !== '' && start !== -1);
  const inner = /^(["']?)(.*)\1$/s.exec(written);
  const sign = inner?.[1]?.length ?? 0;
  return [
    ...found.map(({ word, start }) => ({ start, end: start + word.length })),
    { start: sign, end: written.length - sign },
  ];
}

/** The texts that a hint tells to write in place of what is written. */
function otherForms(hint: string, written: string): readonly string[] {
  const [, quoted] = /^write ("(?:[^"\\]|\\.)*")(?: for the value alone)?$/.exec(hint) ?? [];
  if (quoted !== undefined) return [quoted, quoted.slice(1, -1)];
  const [, value] = /^write [\w-]+: ([^\s]+)$/.exec(hint) ?? [];
  if (value !== undefined) return [value];
  const [, path] = /^it is ([\w.-]+)$/.exec(hint) ?? [];
  if (path !== undefined && /^[\w.-]+$/.test(written)) return [path];
  const [, operation] = /^use ([a-z-]+\/[a-z-]+);/.exec(hint) ?? [];
  return operation === undefined ? [] : [operation];
}
