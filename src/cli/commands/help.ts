/** `help`: a verb’s own page, or one of the topics that belong to none. */
import { exits, type ExitCode } from '../../base/error.ts';
import { listed } from '../../base/text.ts';
import type { Context, Given } from '../context.ts';
import { exitMeanings } from '../exits.ts';
import { helpOf } from '../program.ts';
import { columns, wrapped } from '../screens/columns.ts';
import type { Look } from '../screens/look.ts';
import { verbs } from '../verbs/index.ts';
import { version } from '../version.ts';

export function run(context: Context, given: Given): Promise<ExitCode> {
  const { out } = context.terminal;
  const topic = given.words.length === 0 ? undefined : given.words.join(' ');
  const page = topic === undefined ? undefined : topics[topic];
  if (page !== undefined) out.line(page(out.look).join('\n'));
  else {
    const write = (text: string): void => out.write(text);
    write(helpOf(topic, { verbs, version, write, columns: out.look.columns }));
  }
  return Promise.resolve(exits.done);
}

const topics: Readonly<Record<string, (look: Look) => string[]>> = {
  'exit-codes': exitCodes,
  environment,
  output,
};

/** Pages that belong to no verb. */
export const helpTopics: readonly string[] = Object.keys(topics);

function exitCodes(look: Look): string[] {
  const rows = exitMeanings.map(([code, says]) => [String(code), says]);
  return [look.paint('strong', 'Exit codes'), ...columns(rows, look, { indent: 2 })];
}

function environment(look: Look): string[] {
  const rows = [
    ['DESKHAND_PROFILE', 'profile to use, as --profile'],
    ['DESKHAND_CONFIG', 'configuration file, as --config'],
    ['DESKHAND_STATE_DIR', 'where runs, plans and the built-in exchange are kept (.deskhand)'],
    [
      'DESKHAND_STATE_TOKEN',
      'what git pushes the state with, where the remote asks for a password',
    ],
    ['DESKHAND_BASE_URL', 'address of an exchange; makes the profile «environment»'],
    ['DESKHAND_API_KEY', 'key of profiles that name no other source'],
    ['DESKHAND_API_SECRET', 'its secret'],
    ['DESKHAND_API_PASSPHRASE', 'its passphrase'],
    ['DESKHAND_SECRET_NAME', 'a playbook’s {{ secrets.NAME }}'],
    ['…_FILE', 'behind any of the last four: the file to read it from, mode 0600'],
    ['DESKHAND_VAR_name', 'the input «name» of a playbook; --var-file and --var decide over it'],
    ['DESKHAND_NO_INPUT', 'never ask, as --no-input'],
    ['DESKHAND_LOG', 'error, warn, info or debug, as --log-level'],
    ['NO_COLOR, FORCE_COLOR, TERM', 'colours off, on, and what the terminal can do'],
    ['CI, GITHUB_ACTIONS', 'no moving window; annotations on GitHub'],
  ];
  return [
    look.paint('strong', 'Environment'),
    ...columns(rows, look, { indent: 2 }),
    '',
    ...wrapped('A flag decides before a variable, a variable before deskhand.yaml.', look, 0),
  ];
}

function verbsWith(format: string): string {
  return listed(verbs.filter(({ formats }) => formats?.includes(format)).map(({ name }) => name));
}

function output(look: Look): string[] {
  const rows = [
    ['text', 'for people: results on stdout, progress on stderr'],
    ['json', 'one object on stdout when the command ends, errors included'],
    ['ndjson', `one object per line, as it happens: ${verbsWith('ndjson')}`],
    ['markdown', `for a pull request, at most 60,000 characters: ${verbsWith('markdown')}`],
    ['github, sarif, gitlab, junit', `for pipelines: ${verbsWith('sarif')}`],
  ];
  return [
    look.paint('strong', 'Output'),
    ...columns(rows, look, { indent: 2 }),
    '',
    ...wrapped(
      'stdout is data and stderr is progress, so that «| jq» holds nothing but JSON. Shapes have a version and a schema in schemas/.',
      look,
      0,
    ),
  ];
}
