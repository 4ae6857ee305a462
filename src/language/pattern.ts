/** Patterns of inputs: the only importer of re2js, which matches in linear time. */
import { RE2JS, RE2JSException } from 're2js';

/** Maximum length of a text with a pattern, and of a pattern, in characters. */
export const patternTextMax = 256;
const patternMax = 256;

const compiled = new Map<string, RE2JS>();

/** Why a pattern cannot be used; undefined if it can. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > patternMax) return `the pattern is longer than ${patternMax} characters`;
  try {
    compile(pattern);
    return undefined;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return `the pattern cannot be read: ${reasonIn(error.message)}`;
  }
}

/**
 * Whether a pattern matches within a text. The pattern must be valid and the text not longer than
 * `patternTextMax`.
 */
export function isMatch(pattern: string, text: string): boolean {
  return compile(pattern).matcher(text).find();
}

/** A pattern applies to every member of a list, so it is compiled once. */
function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
  compiled.set(pattern, known);
  return known;
}

/** The engine's reason without its preamble. */
function reasonIn(message: string): string {
  return message.replace(/^error parsing regexp: /, '');
}
