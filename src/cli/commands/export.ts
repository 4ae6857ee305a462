/** `export`: the rows of one read as a file, with the same code as a step of a playbook. */
import type { CsvStyle } from '../../base/csv-style.ts';
import { UsageError, type ExitCode } from '../../base/error.ts';
import { listed, nearWord, plainText } from '../../base/text.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { rowFields, rowSchema } from '../../exchange/api/row-schema.ts';
import { loadPlaybook } from '../../language/load.ts';
import type { Playbook } from '../../language/playbook.ts';
import { ownPlaybook } from '../../report/stop.ts';
import { oneOf, outputOf, type Context, type Args } from '../context.ts';
import { InvalidError } from '../../app/planning/invalid.ts';
import { pairsOf } from '../args/pairs.ts';
import { fieldsFrom, operationNamed, timesIn } from '../args/operation-words.ts';
import { refuseBroken } from '../../app/planning/guarded.ts';
import { executeAndReport } from '../running/result.ts';
import { runFormats } from '../running/screen.ts';
import { prepare } from '../../app/planning/make-plan.ts';
import { syncToPlan } from '../../app/running/beside.ts';
import { configOf, profileOf } from '../../app/config/opened.ts';
import { stoppableWork } from '../../app/accounts/work.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, runFormats);
  const operation = operationNamed(args.positionals[0] ?? '');
  if (operationOf(operation).effect !== 'read') {
    throw new UsageError(`${operation} writes; only reads can be exported`);
  }
  const fields = timesIn(fieldsFrom(operation, args.positionals.slice(1)));
  refusePage(operation, fields);
  const text = playbookOf(operation, fields, args);
  const playbook = provedHere(text, context);
  const config = await configOf(context);
  const profile = profileOf(context, config);
  const opening = { needsKey: operationOf(operation).access === 'signed' };
  return stoppableWork(context, config, profile, opening, async (session, interruption) => {
    const store = await syncToPlan(playbook, session, context);
    const job = { playbook, args: new Map(), session, isOffline: false };
    const signal = interruption.drain;
    const prepared = await prepare({ ...job, signal }, context);
    refuseBroken(prepared.plan);
    return executeAndReport({ prepared, session, store, interruption }, args, context);
  });
}

/** Refuses the parameter of a page: an export contains the rows of all pages. */
function refusePage(operation: OperationName, fields: ReadonlyMap<string, string>): void {
  const name = operationOf(operation).page?.parameter;
  if (name === undefined || !fields.has(name)) return;
  throw new UsageError(
    `${name} selects one page, but an export reads all pages`,
    `remove ${name}; \`deskhand call ${operation}\` shows one page`,
  );
}

/** Validates the generated playbook: its problems are reported without line numbers. */
function provedHere(text: string, { terminal: { err } }: Context): Playbook {
  const { playbook, problems } = loadPlaybook(text, ownPlaybook);
  if (playbook !== undefined) return playbook;
  for (const { code, message, hint } of problems) {
    const help = hint === undefined ? '' : `  (${plainText(hint)})`;
    err.line(`${err.theme.sign('bad')} ${code} ${plainText(message)}${help}`);
  }
  throw new InvalidError(
    'these arguments are not valid for an export',
    'see `deskhand export --help`',
  );
}

/** The playbook of an export, with one step, so that a killed export is resumed like any run. */
function playbookOf(
  operation: OperationName,
  fields: ReadonlyMap<string, string>,
  args: Args,
): string {
  const file = args.text('file');
  if (file === undefined) {
    throw new UsageError('--file is missing', `add --file out/${shortName(operation)}.csv`);
  }
  const write = {
    file,
    format: args.text('format'),
    unique: listOf(args, 'unique'),
    sort: listOf(args, 'sort'),
    ...sinceIn(args),
    csv: csvIn(args),
  };
  const columns = columnsOf(operation, args);
  return [
    'playbook: 1',
    `name: export-${shortName(operation)}`,
    'steps:',
    '  - id: export',
    `    uses: ${operation}`,
    ...mapLines('    ', 'with', [...fields]),
    ...mapLines('    ', 'write', Object.entries(write)),
    ...mapLines('      ', 'columns', columns),
    '',
  ].join('\n');
}

/** Without `--since` a file is written as a whole, and an earlier one is kept. */
function sinceIn(args: Args): Readonly<Record<string, unknown>> {
  const since = args.text('since');
  const overlap = args.text('overlap');
  if (since === undefined) {
    if (overlap !== undefined) throw new UsageError('--overlap requires --since last');
    return { overwrite: args.isOn('overwrite') };
  }
  if (args.isOn('overwrite')) {
    throw new UsageError('--since continues a file, and --overwrite replaces it', 'remove one');
  }
  return { since: oneOf(since, ['last'], '--since'), overlap };
}

function csvIn(args: Args): CsvStyle | undefined {
  const sign = args.text('csv-delimiter');
  const word = sign === undefined ? undefined : oneOf(sign, [',', ';', 'tab'], '--csv-delimiter');
  const delimiter = word === 'tab' ? '\t' : word;
  if (delimiter === undefined && !args.isOn('csv-bom')) return undefined;
  return { bom: args.isOn('csv-bom'), ...(delimiter !== undefined && { delimiter }) };
}

/** The columns of a step, with their types. Types without names keep every field of the API. */
function columnsOf(
  operation: OperationName,
  args: Args,
): readonly (readonly [name: string, value: unknown])[] {
  const types = pairsOf(args.texts('type'), 'a type');
  const named = columnsIn(operation, args);
  const names = named.length > 0 || types.size === 0 ? named : [...rowFields(operation).keys()];
  const other = [...types.keys()].find((name) => !names.includes(name));
  if (other !== undefined) {
    const near = nearWord(other, names);
    throw new UsageError(
      `--type: the file has no column ${JSON.stringify(other)}`,
      near ? `did you mean ${near}?` : `its columns are ${listed(names)}`,
    );
  }
  const { required } = rowSchema(operation);
  const isOptional = (name: string) => !(Array.isArray(required) && required.includes(name));
  return names.map((name) => {
    const value = `{{ ${isOptional(name) ? `default row.${name} ''` : `row.${name}`} }}`;
    const type = types.get(name);
    return [name, type === undefined ? value : { value, type }];
  });
}

/** The columns of `--columns`, which are fields of a row. */
function columnsIn(operation: OperationName, args: Args): readonly string[] {
  const names = listOf(args, 'columns') ?? [];
  const known = [...rowFields(operation).keys()];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = nearWord(unknown, known);
    throw new UsageError(
      `--columns: rows of ${operation} have no field ${JSON.stringify(unknown)}`,
      near ? `did you mean ${near}?` : `see \`deskhand explain ${operation}\``,
    );
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new UsageError(`--columns: ${twice} is named twice`);
  return names;
}

/** The lines of a map in YAML; JSON is valid YAML and quotes what must be quoted. */
function mapLines(
  margin: string,
  name: string,
  pairs: readonly (readonly [name: string, value: unknown])[],
): string[] {
  const args = pairs.filter(([, value]) => value !== undefined);
  if (args.length === 0) return [];
  const lines = args.map(
    ([key, value]) => `${margin}  ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return [`${margin}${name}:`, ...lines];
}

function shortName(operation: OperationName): string {
  return operation.slice(operation.indexOf('/') + 1);
}

function listOf(args: Args, flag: string): readonly string[] | undefined {
  return args
    .text(flag)
    ?.split(',')
    .map((word) => word.trim());
}
