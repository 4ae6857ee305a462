/** `validate`: every problem of every playbook named, at once, without a network. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import {
  checkedFiles,
  formatProblems,
  problemsAsGithub,
  problemsAsJson,
  problemsAsSarif,
  type CheckedFile,
} from '../../playbook/format.ts';
import { loadPlaybook, type Loading } from '../../playbook/load.ts';
import { checkedMarkdown } from '../../report/markdown/checked.ts';
import { problemsAsGitlab } from '../checked/gitlab.ts';
import { problemsAsJunit } from '../checked/junit.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { playbooksSince } from '../given/changed.ts';
import { playbooksHere, readGiven } from '../given/files.ts';
import { includedHere } from '../given/playbooks.ts';
import { appendToPage, writeJson } from '../running/papers.ts';
import { configOf } from '../running/work.ts';
import type { Terminal } from '../screens/terminal.ts';
import { version } from '../version.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { terminal } = context;
  const format = outputOf(context, formats);
  const names = await namesOf(given, context);
  const guards = await guardsHere(context);
  const files: CheckedFile[] = [];
  for (const name of names) {
    const known = new Set(files.map(({ file }) => file));
    files.push(...(await check(name, guards, terminal)).filter(({ file }) => !known.has(file)));
  }
  await writeJson(problemsAsJson(files), context);
  await appendToPage(checkedMarkdown(files), context);
  show(files, format, context);
  const isValid = files.every(({ problems }) => problems.every(({ level }) => level !== 'error'));
  return isValid ? exits.done : exits.invalid;
}

const formats = ['text', 'json', 'github', 'sarif', 'gitlab', 'junit', 'markdown'] as const;

/** Those named, those a branch touches, or all that are here. */
async function namesOf(given: Given, { terminal }: Context): Promise<readonly string[]> {
  const since = given.text('changed-since');
  if (since === undefined) return given.words.length > 0 ? given.words : playbooksHere();
  if (given.words.length === 0) return playbooksSince(since, terminal.env);
  throw new UsageError('--changed-since finds the playbooks itself', 'name none beside it');
}

/** The limits of a playbook's profile; none where its account is no profile, which a plan tells. */
async function guardsHere(context: Context): Promise<Loading['guards']> {
  const config = await configOf(context);
  const { profile: flag } = context.globals;
  return (account) => {
    const name = flag ?? account ?? config.initial;
    const found = config.profiles.get(name);
    return found && { profile: found.name, rules: found.guards };
  };
}

/** The file, and others it uses that have problems. */
async function check(
  name: string,
  guards: Loading['guards'],
  terminal: Terminal,
): Promise<CheckedFile[]> {
  const bytes = await readGiven(name, terminal);
  const file = name === '-' ? 'stdin' : name;
  const loaded = loadPlaybook(bytes, file, {
    include: includedHere,
    ...(guards && { guards }),
  });
  return checkedFiles({ file, text: bytes.toString('utf8') }, loaded);
}

function show(
  files: readonly CheckedFile[],
  format: (typeof formats)[number],
  { terminal, globals }: Context,
): void {
  const { out } = terminal;
  switch (format) {
    case 'json':
      return out.line(JSON.stringify(problemsAsJson(files)));
    case 'github':
      return out.line(problemsAsGithub(files));
    case 'sarif':
      return out.line(JSON.stringify(problemsAsSarif(files, version)));
    case 'gitlab':
      return out.line(JSON.stringify(problemsAsGitlab(files)));
    case 'junit':
      return out.line(problemsAsJunit(files));
    case 'markdown':
      return out.line(checkedMarkdown(files).trimEnd());
    case 'text':
      if (!globals.isQuiet || files.some(({ problems }) => problems.length > 0)) {
        out.line(formatProblems(files, { color: out.look.hasColour }).trimEnd());
      }
      if (terminal.env['GITHUB_ACTIONS'] === 'true') out.line(problemsAsGithub(files));
  }
}
