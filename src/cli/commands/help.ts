/** `help`: the page of a command, or a general topic. */
import { exits, type ExitCode } from '../../base/error.ts';
import { listed } from '../../base/text.ts';
import type { Context, Args } from '../context.ts';
import { exitMeanings } from '../exits.ts';
import { helpOf } from '../program.ts';
import { columns, wrapped } from '../screens/columns.ts';
import type { Theme } from '../screens/theme.ts';
import { verbs } from '../verbs/index.ts';
import { version } from '../version.ts';

export function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const topic = args.positionals.length === 0 ? undefined : args.positionals.join(' ');
  const page = topic === undefined ? undefined : topics[topic];
  if (page !== undefined) out.line(page(out.theme).join('\n'));
  else {
    const write = (text: string): void => out.write(text);
    write(helpOf(topic, { verbs, version, write, columns: out.theme.columns }));
  }
  return Promise.resolve(exits.done);
}

const topics: Readonly<Record<string, (theme: Theme) => string[]>> = {
  'exit-codes': exitCodes,
  environment,
  output,
};

/** Help pages that belong to no command. */
export const helpTopics: readonly string[] = Object.keys(topics);

function exitCodes(theme: Theme): string[] {
  const rows = exitMeanings.map(([code, description]) => [String(code), description]);
  return [theme.paint('strong', 'Exit codes'), ...columns(rows, theme, { indent: 2 })];
}

function environment(theme: Theme): string[] {
  const rows = [
    ['DESKHAND_PROFILE', 'profile to use, as --profile'],
    ['DESKHAND_CONFIG', 'configuration file, as --config'],
    ['DESKHAND_STATE_DIR', 'where runs, plans and the built-in exchange are kept (.deskhand)'],
    ['DESKHAND_STORE', 'where runs are shared, as --store; its address may have a password'],
    ['DESKHAND_STATE_TOKEN', 'token for git to push the state, if the remote requires a password'],
    ['DESKHAND_BASE_URL', 'address of an exchange; makes the profile "environment"'],
    ['DESKHAND_ACCOUNT_ID', 'account-id of that profile: permanent name of its account'],
    [
      'DESKHAND_FORMER_KEYS, DESKHAND_OTHER_KEYS',
      'former-keys and other-keys of that profile, with commas',
    ],
    ['DESKHAND_FORMER_IDS', 'former-ids of that profile, with commas'],
    ['DESKHAND_API_KEY', 'key of profiles that name no other source'],
    ['DESKHAND_API_SECRET', 'its secret'],
    ['DESKHAND_API_PASSPHRASE', 'its passphrase'],
    ['DESKHAND_SECRET_NAME', 'a playbook’s {{ secrets.NAME }}'],
    ['…_FILE', 'suffix of any of the last four: file to read it from, mode 0600'],
    ['DESKHAND_VAR_name', 'the input "name" of a playbook; --var-file and --var override it'],
    ['DESKHAND_NO_INPUT', 'disable prompts, as --no-input'],
    ['DESKHAND_LOG', 'error, warn, info or debug, as --log-level'],
    ['DESKHAND_LOG_FORMAT', 'text or json, as --log-format'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'send traces of runs to this collector'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'headers for it: api-key=…,tenant=…'],
    ['OTEL_SERVICE_NAME', 'service of the traces (default deskhand)'],
    ['NO_COLOR, FORCE_COLOR, TERM', 'disable or force colors; capabilities of the terminal'],
    ['CI, GITHUB_ACTIONS', 'disable the live view; annotations on GitHub'],
  ];
  return [
    theme.paint('strong', 'Environment'),
    ...columns(rows, theme, { indent: 2 }),
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
