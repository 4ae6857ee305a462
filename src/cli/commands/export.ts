/** `export`: the rows of one read as a file, by the same way as a step of a playbook. */
import { UsageError, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { operationOf, type OperationName } from '../../contract/operations/index.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { refuseBroken } from '../running/guarded.ts';
import { fieldsGiven, operationNamed } from '../given/operation-words.ts';
import { performAndTell } from '../running/outcome.ts';
import { prepare } from '../running/planning.ts';
import { proved } from '../given/playbooks.ts';
import { runFormats, stoppable } from '../running/perform.ts';
import { syncState } from '../running/state.ts';
import { configOf, openWork, profileOf } from '../running/work.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  outputOf(context, runFormats);
  const operation = operationNamed(given.words[0] ?? '');
  if (operationOf(operation).effect !== 'read') {
    throw new UsageError(`${operation} writes; only reads can be exported`);
  }
  const fields = fieldsGiven(operation, given.words.slice(1));
  const text = playbookOf(operation, fields, given);
  const playbook = proved({ file: '(export)', text }, context);
  const config = await configOf(context);
  const profile = profileOf(context, config);
  const session = await openWork(context, config, profile, {
    needsKey: operationOf(operation).access === 'signed',
  });
  const { stateDir } = config;
  return stoppable(context, async (interruption) => {
    try {
      const store = await syncState(config, context, session.destination);
      const job = { playbook, given: new Map(), session, stateDir, isOffline: false };
      const signal = interruption.drain;
      const prepared = await prepare({ ...job, signal }, context);
      refuseBroken(prepared.plan);
      return await performAndTell(
        { prepared, session, stateDir, store, interruption },
        given,
        context,
      );
    } finally {
      await session.close();
    }
  });
}

/** One step, in the language of playbooks: so a killed export is resumed like any run. */
function playbookOf(
  operation: OperationName,
  fields: ReadonlyMap<string, string>,
  given: Given,
): string {
  const file = given.text('file');
  if (file === undefined) {
    throw new UsageError('--file is missing', `add --file out/${shortName(operation)}.csv`);
  }
  const write = {
    file,
    format: given.text('format'),
    unique: listOf(given, 'unique'),
    sort: listOf(given, 'sort'),
    overwrite: given.isOn('overwrite'),
  };
  const columns = listOf(given, 'columns')?.map((name) => [name, `{{ row.${name} }}`] as const);
  return [
    'playbook: 1',
    `name: export-${shortName(operation)}`,
    'steps:',
    '  - id: export',
    `    uses: ${operation}`,
    ...mapLines('    ', 'with', [...inputOf(operation, fields)]),
    ...mapLines('    ', 'write', Object.entries(write)),
    ...mapLines('      ', 'columns', columns ?? []),
    '',
  ].join('\n');
}

/** Without an end the exchange would take one span; an export goes on until now. */
function inputOf(
  operation: OperationName,
  fields: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const { window } = operationOf(operation);
  const isOpen = window && fields.has(window.start) && !fields.has(window.end);
  const given = new Map([...fields].map(([name, value]) => [name, timeOf(name, value)]));
  return isOpen ? given.set(window.end, '{{ run.time }}') : given;
}

/** A map in YAML; JSON is YAML as well, and quotes whatever must be quoted. */
function mapLines(
  margin: string,
  name: string,
  pairs: readonly (readonly [name: string, value: unknown])[],
): string[] {
  const given = pairs.filter(([, value]) => value !== undefined);
  if (given.length === 0) return [];
  const lines = given.map(
    ([key, value]) => `${margin}  ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return [`${margin}${name}:`, ...lines];
}

function shortName(operation: OperationName): string {
  return operation.slice(operation.indexOf('/') + 1);
}

function listOf(given: Given, flag: string): readonly string[] | undefined {
  return given
    .text(flag)
    ?.split(',')
    .map((word) => word.trim());
}

const date = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/;

/** The exchange takes Unix milliseconds; people know dates. A date alone is midnight in UTC. */
function timeOf(name: string, value: string): string {
  if (!name.endsWith('Time') || !date.test(value)) return value;
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) throw new UsageError(`${name} is no date: ${plainText(value, 60)}`);
  return String(ms);
}
