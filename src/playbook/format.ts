/** Problems for people and machines: code frames, JSON, GitHub annotations, SARIF. */
import { InternalError } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { Problem } from './playbook.ts';

export interface FrameOptions {
  readonly color: boolean;
}

/** One problem with file:line:col, an excerpt, a caret and what to do. */
export function codeFrame(_problem: Problem, _text: string, _options: FrameOptions): string {
  throw new InternalError('not written yet');
}

/** A checked file: its name, its text, what was found. */
export interface CheckedFile {
  readonly file: string;
  readonly text: string;
  readonly problems: readonly Problem[];
}

/** All frames and a last line that counts them. */
export function formatProblems(_files: readonly CheckedFile[], _options: FrameOptions): string {
  throw new InternalError('not written yet');
}

export function problemsAsJson(_files: readonly CheckedFile[]): Json {
  throw new InternalError('not written yet');
}

/** `::error file=…,line=…` lines for GitHub Actions. */
export function problemsAsGithub(_files: readonly CheckedFile[]): string {
  throw new InternalError('not written yet');
}

/** A SARIF 2.1.0 log. */
export function problemsAsSarif(_files: readonly CheckedFile[], _version: string): Json {
  throw new InternalError('not written yet');
}
