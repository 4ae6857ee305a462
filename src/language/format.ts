/** Problems for people and machines: code frames, JSON, GitHub annotations, SARIF. */
import { appendTo } from '../base/groups.ts';
import { inked } from '../base/ink.ts';
import { signs, type Ink } from '../base/palette.ts';
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
 * A playbook and its nested files, each with its own problems; nested files only if they have some.
 */
export function checkedFiles(
  { file, text }: { readonly file: string; readonly text: string },
  { problems, includes }: Loaded,
): CheckedFile[] {
  const byFile = new Map<string, Problem[]>();
  for (const problem of problems) appendTo(byFile, problem.at.file, problem);
  return [{ file, text }, ...includes]
    .map((each) => ({
      file: each.file,
      text: each.text,
      problems: byFile.get(each.file) ?? [],
    }))
    .filter((each) => each.file === file || each.problems.length > 0);
}

/** The checked files without secrets: a problem quotes its file, which may contain one. */
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
export function codeFrame(problem: Problem, text: string, options: FrameOptions): string {
  return frameIn(linesOf(text), problem, options);
}

/** Problems of one text, each as `codeFrame` draws it. */
export function codeFrames(
  problems: readonly Problem[],
  text: string,
  options: FrameOptions,
): readonly string[] {
  const lines = linesOf(text);
  return problems.map((problem) => frameIn(lines, problem, options));
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}

function frameIn(lines: readonly string[], problem: Problem, { color }: FrameOptions): string {
  const paint = painter(color);
  const { start } = problem.at;
  const shade = problem.level === 'error' ? 'bad' : 'warn';
  const width = String(start.line).length;
  const bar = (label: string): string => paint('faint', `${label.padStart(width)} │`);
  const previous = shownPart(lines[start.line - 2] ?? '', { from: 0, to: 0 });
  const here = lines[start.line - 1] ?? '';
  const end = problem.at.end.line === start.line ? problem.at.end.column : here.length + 1;
  const shown = shownPart(here, { from: start.column - 1, to: end - 1 });
  const excerpt = [
    ...(start.line > 1 ? [`${bar(String(start.line - 1))} ${previous.line}`] : []),
    `${bar(String(start.line))} ${shown.line}`,
  ];
  const carets = '^'.repeat(shown.carets);
  return [
    `${paint(shade, problem.level)}[${problem.code}] ${plainText(problem.message)}`,
    `${' '.repeat(width)}${paint('faint', '──▶')} ${plainText(problem.at.file)}:${start.line}:${start.column}`,
    ...excerpt,
    `${bar('')} ${' '.repeat(shown.before)}${paint(shade, carets)}`,
    ...(problem.hint === undefined
      ? []
      : [`${' '.repeat(width)} ${paint('command', 'help')}  ${plainText(problem.hint)}`]),
  ].join('\n');
}

const shownMax = 160; // characters of one source line
const shownBefore = 60; // of them before the mark, in a longer line

interface ShownPart {
  readonly line: string;
  /** The number of characters before the carets. */
  readonly before: number;
  readonly carets: number;
}

/** A line with the place of its mark; a long one is cut around it. */
function shownPart(line: string, mark: { readonly from: number; readonly to: number }): ShownPart {
  // What is farther away is cut below in any case: a long line may have many marks.
  const first = Math.max(0, mark.from - 2 * shownMax);
  const near = line.slice(first, mark.from + 2 * shownMax);
  const ends = [mark.from - first, Math.max(mark.to, mark.from) - first, near.length];
  const [before = 0, marked = 0, whole = 0] = ends.map((end) => visible(near.slice(0, end)).length);
  const text = visible(near);
  const from = Math.max(0, Math.min(before - shownBefore, whole - shownMax));
  const to = Math.min(whole, from + shownMax);
  const isCut = to < whole;
  const cut = text.slice(from === 0 ? 0 : from + 1, isCut ? to - 1 : to).toWellFormed();
  return {
    line: `${from === 0 ? '' : '…'}${cut}${isCut ? '…' : ''}`,
    before: before - from,
    carets: Math.max(1, Math.min(marked, isCut ? to - 1 : to) - before),
  };
}

function visible(line: string): string {
  return escapeControls(line.replaceAll('\t', '  '));
}

/** All code frames and a line with their counts. */
export function formatProblems(files: readonly CheckedFile[], options: FrameOptions): string {
  const paint = painter(options.color);
  const frames = files.flatMap(({ text, problems }) =>
    codeFrames(problems, text, options).map((frame) => `${frame}\n`),
  );
  const all = files.flatMap(({ problems }) => problems);
  const errors = all.filter(({ level }) => level === 'error').length;
  const warnings = all.length - errors;
  const where = files.length === 1 ? plainText(files[0]?.file ?? '') : count(files.length, 'file');
  if (errors === 0) {
    const suffix = warnings === 0 ? '' : `, ${count(warnings, 'warning')}`;
    return [
      ...frames,
      `${paint('good', signs.good.drawn)} ${where}: no problems${suffix}. Nothing was sent.`,
    ].join('\n');
  }
  const first = all.find(({ level }) => level === 'error');
  const more = first ? `  Explain a rule: deskhand explain ${first.code}` : '';
  return [
    ...frames,
    `${paint('bad', signs.bad.drawn)} ${count(errors, 'problem')} in ${where}. Nothing was sent.${more}`,
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

function painter(color: boolean): (ink: Ink, text: string) => string {
  return (ink, text) => (color ? inked(ink, text) : text);
}
