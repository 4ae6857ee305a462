/** `validate`: reports all problems of the named playbooks, offline. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import {
  formatProblems,
  problemsAsGithub,
  problemsAsJson,
  problemsAsSarif,
  type CheckedFile,
} from '../../language/format.ts';
import { checkedMarkdown } from '../../report/markdown/checked.ts';
import { problemsAsGitlab } from '../reporters/checks-gitlab.ts';
import { problemsAsJunit } from '../reporters/checks-junit.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import type { PlaybookFiles } from '../../app/config/playbook-files.ts';
import { playbooksOf, readArgument } from '../args/named-file.ts';
import { appendToPage, writeJson } from '../running/documents.ts';
import { areValid, checkedPlaybooks } from '../../app/planning/validate.ts';
import type { ValidateOutput } from '../../app/documents/playbooks.ts';
import { version } from '../../base/version.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const format = outputOf(context, formats);
  const { files: names, skipped } = await namesOf(args, context);
  const files = await checkedPlaybooks(
    names,
    (name) => readArgument(name, context.terminal),
    context,
  );
  const json: ValidateOutput = {
    ...problemsAsJson(files),
    ...(skipped.length > 0 && { skipped }),
  };
  await writeJson(json, context);
  await appendToPage(() => checkedMarkdown(files), context);
  show(files, json, format, context);
  return areValid(files) ? exits.done : exits.invalid;
}

const formats = ['text', 'json', 'github', 'sarif', 'gitlab', 'junit', 'markdown'] as const;

/** The playbooks to validate: those named, those a branch changes, or all in the folder. */
async function namesOf(args: Args, context: Context): Promise<PlaybookFiles> {
  const since = args.text('changed-since');
  if (since === undefined) return playbooksOf(args.positionals, context);
  if (args.positionals.length > 0) {
    throw new UsageError('--changed-since finds the playbooks itself', 'name no files with it');
  }
  const { playbooksSince } = await import('../args/changed.ts');
  return { files: await playbooksSince(since, context.terminal.env), skipped: [] };
}

function show(
  files: readonly CheckedFile[],
  json: ValidateOutput,
  format: (typeof formats)[number],
  { terminal, globals }: Context,
): void {
  const { out } = terminal;
  switch (format) {
    case 'json':
      return out.json(json);
    case 'github':
      return out.command(problemsAsGithub(files));
    case 'sarif':
      return out.json(problemsAsSarif(files, version));
    case 'gitlab':
      return out.json(problemsAsGitlab(files));
    case 'junit':
      return out.line(problemsAsJunit(files));
    case 'markdown':
      return out.line(checkedMarkdown(files).trimEnd());
    case 'text':
      if (!globals.isQuiet || files.some(({ problems }) => problems.length > 0)) {
        out.line(formatProblems(files, { color: out.theme.hasColour }).trimEnd());
      }
      if (terminal.env['GITHUB_ACTIONS'] === 'true') out.command(problemsAsGithub(files));
  }
}
