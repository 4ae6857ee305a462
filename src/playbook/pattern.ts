/** Patterns of inputs: the door to re2js, whose matching takes time linear in the text. */
import { RE2JS, RE2JSException } from 're2js';

/** Longest text a pattern is checked against, and longest pattern, in characters. */
export const patternTextMax = 256;
const patternMax = 256;

const compiled = new Map<string, RE2JS>();

/** Why a pattern cannot be used, in words; undefined when it can. */
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
 * Whether a pattern is found in a text. The pattern must be one without a problem and the text
 * not longer than `patternTextMax`.
 */
export function isMatch(pattern: string, text: string): boolean {
  return compile(pattern).matcher(text).find();
}

/** A pattern is over every member of a list: it is compiled once. */
function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
  compiled.set(pattern, known);
  return known;
}

/** The engine's reason without its preamble. */
function reasonIn(message: string): string {
  return message.replace(/^error parsing regexp: /, '');
}
