/** Problems for people and machines: code frames, JSON, GitHub annotations, SARIF. */
import { styleText } from 'node:util';
import type { Json } from '../base/json.ts';
import { count, escapeControls, plainText } from '../base/text.ts';
import type { Loaded } from './load.ts';
import type { Problem } from './problem.ts';
import { rules } from './rules.ts';

export interface FrameOptions {
  readonly color: boolean;
}

/** A validated file: its name, its text, its problems. */
export interface CheckedFile {
  readonly file: string;
  readonly text: string;
  readonly problems: readonly Problem[];
}

/**
 * A playbook and its nested files, each with its own problems; nested ones only if they have some.
 */
export function checkedFiles(
  { file, text }: { readonly file: string; readonly text: string },
  { problems, includes }: Loaded,
): CheckedFile[] {
  return [{ file, text }, ...includes]
    .map((each) => ({
      file: each.file,
      text: each.text,
      problems: problems.filter(({ at }) => at.file === each.file),
    }))
    .filter((each) => each.file === file || each.problems.length > 0);
}

/** The same without secrets: a problem quotes its file, which may contain one. */
export function maskedFiles(
  files: readonly CheckedFile[],
  redact: (text: string) => string,
): readonly CheckedFile[] {
  return files.map(({ file, text, problems }) => ({
    file: redact(file),
    text: redact(text),
    problems: problems.map((problem) => maskedProblem(problem, redact)),
  }));
}

export function maskedProblem(problem: Problem, redact: (text: string) => string): Problem {
  const { message, hint, note } = problem;
  return {
    ...problem,
    message: redact(message),
    ...(hint !== undefined && { hint: redact(hint) }),
    ...(note !== undefined && { note: redact(note) }),
  };
}

/** One problem with file:line:col, an excerpt, a caret and a hint. */
export function codeFrame(problem: Problem, text: string, { color }: FrameOptions): string {
  const paint = painter(color);
  const { start } = problem.at;
  const lines = text.split(/\r?\n/);
  const shade = problem.level === 'error' ? 'red' : 'yellow';
  const width = String(start.line).length;
  const bar = (label: string): string => paint('dim', `${label.padStart(width)} │`);
  const excerpt = [start.line - 1, start.line]
    .filter((line) => line >= 1)
    .map((line) => `${bar(String(line))} ${shownLine(lines[line - 1] ?? '')}`);
  const here = lines[start.line - 1] ?? '';
  const before = shownLine(here.slice(0, start.column - 1)).length;
  const carets = '^'.repeat(caretLength(problem, here));
  return [
    `${paint(shade, problem.level)}[${problem.code}] ${plainText(problem.message)}`,
    `${' '.repeat(width)}${paint('dim', '──▶')} ${plainText(problem.at.file)}:${start.line}:${start.column}`,
    ...excerpt,
    `${bar('')} ${' '.repeat(before)}${paint(shade, carets)}`,
    ...(problem.hint === undefined
      ? []
      : [`${' '.repeat(width)} ${paint('cyan', 'help')}  ${plainText(problem.hint)}`]),
  ].join('\n');
}

const shownMax = 160; // characters of one source line

function shownLine(line: string): string {
  return escapeControls(line.replaceAll('\t', '  ')).slice(0, shownMax);
}

function caretLength({ at }: Problem, line: string): number {
  const end = at.end.line === at.start.line ? at.end.column : line.length + 1;
  return Math.max(1, Math.min(end - at.start.column, shownMax - at.start.column));
}

/** All code frames and a line with their counts. */
export function formatProblems(files: readonly CheckedFile[], options: FrameOptions): string {
  const paint = painter(options.color);
  const frames = files.flatMap(({ text, problems }) =>
    problems.map((problem) => `${codeFrame(problem, text, options)}\n`),
  );
  const all = files.flatMap(({ problems }) => problems);
  const errors = all.filter(({ level }) => level === 'error').length;
  const warnings = all.length - errors;
  const where = files.length === 1 ? plainText(files[0]?.file ?? '') : count(files.length, 'file');
  if (errors === 0) {
    const suffix = warnings === 0 ? '' : `, ${count(warnings, 'warning')}`;
    return [
      ...frames,
      `${paint('green', '✔')} ${where}: no problems${suffix}. Nothing was sent.`,
    ].join('\n');
  }
  const first = all.find(({ level }) => level === 'error');
  const more = first ? `  Explain a rule: deskhand explain ${first.code}` : '';
  return [
    ...frames,
    `${paint('red', '✖')} ${count(errors, 'problem')} in ${where}. Nothing was sent.${more}`,
  ].join('\n');
}

export function problemsAsJson(files: readonly CheckedFile[]) {
  return {
    version: 1,
    files: files.map(({ file, problems }) => ({
      file,
      problems: problems.map(({ code, level, message, hint, at }) => ({
        code,
        level,
        message,
        ...(hint !== undefined && { hint }),
        line: at.start.line,
        column: at.start.column,
        endLine: at.end.line,
        endColumn: at.end.column,
      })),
    })),
  } as const;
}

/** `::error file=…,line=…` lines for GitHub Actions. */
export function problemsAsGithub(files: readonly CheckedFile[]): string {
  return files
    .flatMap(({ problems }) => problems)
    .map(({ code, level, message, hint, at }) => {
      const place = `file=${property(at.file)},line=${at.start.line},col=${at.start.column},title=${property(code)}`;
      return `::${level} ${place}::${data(hint ? `${message} (${hint})` : message)}`;
    })
    .join('\n');
}

/** A SARIF 2.1.0 log. */
export function problemsAsSarif(files: readonly CheckedFile[], version: string): Json {
  const results = files.flatMap(({ problems }) =>
    problems.map(({ code, level, message, hint, at }) => ({
      ruleId: code,
      level,
      message: { text: hint === undefined ? message : `${message} (${hint})` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: uriOf(at.file) },
            region: {
              startLine: at.start.line,
              startColumn: at.start.column,
              endLine: at.end.line,
              endColumn: at.end.column,
            },
          },
        },
      ],
    })),
  );
  const driver = {
    name: 'deskhand',
    version,
    rules: rules.map(({ code, title, explanation }) => ({
      id: code,
      shortDescription: { text: title },
      fullDescription: { text: explanation },
    })),
  };
  return {
    version: '2.1.0',
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
}

/** A path as a URI, relative to the working folder unless it is absolute. */
function uriOf(path: string): string {
  const encoded = path.split(/[\\/]/).map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${encoded}` : encoded;
}

function data(text: string): string {
  return plainText(text).replaceAll('%', '%25');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function painter(
  color: boolean,
): (style: 'red' | 'yellow' | 'green' | 'cyan' | 'dim', text: string) => string {
  return (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
}
