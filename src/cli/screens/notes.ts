/** Notes of a plan or a run, printed to stderr for a person. */
import { appendTo } from '../../base/groups.ts';
import { redactor, type Secret } from '../../base/secret.ts';
import { plainText, shellWord } from '../../base/text.ts';
import type { Difference } from '../../engine/plan/moved.ts';
import { codeFrames, maskedProblem, problemsAsGithub } from '../../language/format.ts';
import type { Problem } from '../../language/problem.ts';
import type { Note } from '../../app/running/note.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Terminal } from '../../report/terminal/terminal.ts';

export function printNote(
  note: Note,
  { err, env }: Pick<Terminal, 'err' | 'env'>,
  { isQuiet, secrets }: { readonly isQuiet: boolean; readonly secrets: readonly Secret[] },
): void {
  const redact = redactor(secrets);
  const { paint, sign } = err.theme;
  switch (note.kind) {
    case 'warning':
      err.line(`${paint('warn', 'warning')} ${note.message}`);
      if (note.hint !== undefined) err.line(`  ${paint('command', 'help')}  ${note.hint}`);
      return;
    case 'remark':
      return err.line(`${sign('warn')} ${note.message}`);
    case 'account':
      if (!isQuiet) err.line(paint('faint', note.message));
      return;
    case 'problems':
      return printProblems(note, { err, env, redact }, isQuiet);
    case 'inputs':
      for (const { message, hint } of note.problems) {
        const help = hint === undefined ? '' : `  (${plainText(redact(hint))})`;
        err.line(`${sign('bad')} ${plainText(redact(message))}${help}`);
      }
      return;
    case 'differences':
      return printDifferences(note.differences, { err });
    case 'unreported':
      err.line(
        `${paint('bad', 'error')} other machines may not know how it ended: ${note.because}`,
      );
      err.line(
        `  ${paint('command', `deskhand resume ${shellWord(note.run)}`)} in this folder reports it`,
      );
  }
}

/**
 * Prints problems as frames at their locations; warnings alone are not shown if little output is
 * wanted.
 */
function printProblems(
  { problems, playbook }: Extract<Note, { readonly kind: 'problems' }>,
  {
    err,
    env,
    redact,
  }: Pick<Terminal, 'err' | 'env'> & { readonly redact: (text: string) => string },
  isQuiet: boolean,
): void {
  const { file, text, includes = [] } = playbook;
  const hasErrors = problems.some(({ level }) => level === 'error');
  if (!hasErrors && isQuiet) return;
  const shown = problems.map((problem) => maskedProblem(problem, redact));
  const texts = new Map(includes.map((other) => [other.file, other.text]));
  const byFile = new Map<string, Problem[]>();
  for (const problem of shown) appendTo(byFile, problem.at.file, problem);
  for (const [own, its] of byFile) {
    const frames = codeFrames(its, redact(texts.get(own) ?? text), { color: err.theme.hasColour });
    for (const frame of frames) err.line(`${frame.trimEnd()}\n`);
  }
  if (hasErrors && env['GITHUB_ACTIONS'] === 'true') {
    err.command(problemsAsGithub([{ file, text, problems: shown }]));
  }
}

const listedMax = 20; // lines shown

function printDifferences(
  differences: readonly Difference[],
  { err }: Pick<Terminal, 'err'>,
): void {
  const { theme } = err;
  const rows = differences
    .slice(0, listedMax)
    .map(({ what, was, is }) => [
      plainText(what, 60),
      plainText(was, 80),
      `${theme.glyphs.arrow} ${plainText(is, 120)}`,
    ]);
  err.line(columns(rows, theme, { indent: 2 }).join('\n'));
  const left = differences.length - listedMax;
  if (left > 0) err.line(`  ${theme.more(left)}`);
}
