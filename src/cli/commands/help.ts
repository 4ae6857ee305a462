/** `help`: the page of a command, or a general topic. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { listed, nearWord } from '../../base/text.ts';
import type { Context, Args } from '../context.ts';
import { environmentRows } from '../environment.ts';
import { exitMeanings } from '../exits.ts';
import { subjects } from '../../app/explain/subjects.ts';
import { helpOf } from '../program.ts';
import { columns, wrapped } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { verbs } from '../verbs/index.ts';
import type { Verb } from '../verbs/verb.ts';
import { version } from '../../base/version.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const topic = args.positionals.length === 0 ? undefined : args.positionals.join(' ');
  const page = topic === undefined ? undefined : topics[topic]?.page;
  const lines = page?.(out.theme) ?? (await linesOf(topic, out.theme));
  out.write(lines.map((line) => `${line}\n`).join(''));
  return exits.done;
}

interface HelpPage {
  readonly title: string;
  readonly page: (theme: Theme) => string[];
}

const topics: Readonly<Record<string, HelpPage>> = {
  topics: { title: 'this list', page: allTopics },
  'exit-codes': { title: 'the meaning of each exit code', page: exitCodes },
  environment: { title: 'environment variables', page: environment },
  output: { title: 'formats of results', page: output },
};

/** Help pages that belong to no command. */
export const helpTopics: readonly string[] = Object.keys(topics);

/** The help of a command, or of a topic of `explain`. @throws UsageError with a suggestion */
async function linesOf(topic: string | undefined, theme: Theme): Promise<readonly string[]> {
  const isCommand = ({ name }: Verb): boolean => `${name} `.startsWith(`${topic} `);
  if (topic === undefined || verbs.some(isCommand)) {
    const parts = { verbs, version, write: () => undefined, columns: theme.columns };
    return helpOf(topic, parts).replace(/\n$/, '').split('\n');
  }
  const [{ topicIfAny, topicWords }, { pageOf }] = await Promise.all([
    import('../../app/explain/topics.ts'),
    import('../../app/explain/topic-page.ts'),
  ]);
  const names = verbs.flatMap(({ name }) => [name, name.split(' ')[0] ?? '']);
  const found = topicIfAny(topic);
  if (found !== undefined) return pageOf(found, theme);
  const near = nearWord(topic, [...names, ...helpTopics, ...topicWords()]);
  throw new UsageError(
    `unknown help topic ${JSON.stringify(topic)}`,
    near ? `did you mean ${near}?` : '`deskhand help topics` lists all topics',
  );
}

function allTopics(theme: Theme): string[] {
  const own = Object.entries(topics).map(([name, { title }]) => [name, title]);
  const general = Object.entries(subjects).map(([name, { title }]) => [name, title]);
  return [
    theme.paint('strong', 'Topics of the command line'),
    ...columns(own, theme, { indent: 2 }),
    '',
    theme.paint('strong', 'Topics of playbooks'),
    ...columns(general, theme, { indent: 2 }),
    '',
    ...wrapped(
      'Operations, rules, helpers and error codes are topics, too: `deskhand explain` lists them, and `deskhand help CODE` shows one.',
      theme,
      0,
    ),
  ];
}

function exitCodes(theme: Theme): string[] {
  const rows = exitMeanings.map(([code, description]) => [String(code), description]);
  return [theme.paint('strong', 'Exit codes'), ...columns(rows, theme, { indent: 2 })];
}

function environment(theme: Theme): string[] {
  return [
    theme.paint('strong', 'Environment'),
    ...columns(environmentRows, theme, { indent: 2 }),
    '',
    ...wrapped('A flag overrides a variable, and a variable overrides deskhand.yaml.', theme, 0),
  ];
}

function verbsWith(format: string): string {
  return listed(verbs.filter(({ formats }) => formats?.includes(format)).map(({ name }) => name));
}

function output(theme: Theme): string[] {
  const rows = [
    ['text', 'for people: results on stdout, progress on stderr'],
    ['json', 'one object on stdout when the command ends, errors included'],
    ['ndjson', `one object per line, as events happen: ${verbsWith('ndjson')}`],
    ['markdown', `for a pull request, at most 60,000 characters: ${verbsWith('markdown')}`],
    ['csv', `a table with a header, for spreadsheets: ${verbsWith('csv')}`],
    ['github, sarif, gitlab, junit', `for pipelines: ${verbsWith('sarif')}`],
  ];
  return [
    theme.paint('strong', 'Output'),
    ...columns(rows, theme, { indent: 2 }),
    '',
    ...wrapped(
      'stdout is data and stderr is progress, so `| jq` reads only JSON. Every JSON object has a version and a schema in schemas/output.schema.json.',
      theme,
      0,
    ),
  ];
}
