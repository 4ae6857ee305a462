/** `export`: the rows of one read as a file, by the same way as a step of a playbook. */
import { momentIn } from '../../base/clock.ts';
import { UsageError, type ExitCode } from '../../base/error.ts';
import { nearWord, plainText } from '../../base/text.ts';
import { operationOf, type OperationName } from '../../contract/operations/index.ts';
import { rowFields } from '../../contract/row-schema.ts';
import { loadPlaybook } from '../../playbook/load.ts';
import type { Playbook } from '../../playbook/playbook.ts';
import { ownPlaybook } from '../../report/stop.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { InvalidError } from '../given/invalid.ts';
import { fieldsGiven, operationNamed } from '../given/operation-words.ts';
import { refuseBroken } from '../running/guarded.ts';
import { performAndTell } from '../running/outcome.ts';
import { runFormats, stoppable } from '../running/perform.ts';
import { prepare } from '../running/planning.ts';
import { syncState } from '../running/state.ts';
import { configOf, openWork, profileOf } from '../running/work.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  outputOf(context, runFormats);
  const operation = operationNamed(given.words[0] ?? '');
  if (operationOf(operation).effect !== 'read') {
    throw new UsageError(`${operation} writes; only reads can be exported`);
  }
  const fields = fieldsGiven(operation, given.words.slice(1));
  refusePage(operation, fields);
  const text = playbookOf(operation, fields, given);
  const playbook = provedHere(text, context);
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

/** An export has the rows of all pages. */
function refusePage(operation: OperationName, fields: ReadonlyMap<string, string>): void {
  const name = operationOf(operation).page?.parameter;
  if (name === undefined || !fields.has(name)) return;
  throw new UsageError(
    `${name} asks for one page, and an export has all of them`,
    `leave ${name} out; «deskhand call» shows one page`,
  );
}

/** The playbook made of what was typed: its problems are told without lines nobody wrote. */
function provedHere(text: string, { terminal: { err } }: Context): Playbook {
  const { playbook, problems } = loadPlaybook(text, ownPlaybook);
  if (playbook !== undefined) return playbook;
  for (const { code, message, hint } of problems) {
    const help = hint === undefined ? '' : `  (${plainText(hint)})`;
    err.line(
      `${err.look.paint('bad', err.look.glyphs.failed)} ${code} ${plainText(message)}${help}`,
    );
  }
  throw new InvalidError('this cannot be exported so', 'see «deskhand export --help»');
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
  const columns = columnsIn(operation, given).map((name) => [name, `{{ row.${name} }}`] as const);
  return [
    'playbook: 1',
    `name: export-${shortName(operation)}`,
    'steps:',
    '  - id: export',
    `    uses: ${operation}`,
    ...mapLines('    ', 'with', [...inputOf(operation, fields)]),
    ...mapLines('    ', 'write', Object.entries(write)),
    ...mapLines('      ', 'columns', columns),
    '',
  ].join('\n');
}

/** `--columns`: fields of a row. */
function columnsIn(operation: OperationName, given: Given): readonly string[] {
  const names = listOf(given, 'columns') ?? [];
  const known = [...rowFields(operation).keys()];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = nearWord(unknown, known);
    throw new UsageError(
      `--columns: rows of ${operation} have no field ${JSON.stringify(unknown)}`,
      near ? `did you mean ${near}?` : `see «deskhand explain ${operation}»`,
    );
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new UsageError(`--columns: ${twice} is named twice`);
  return names;
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

/** The exchange takes Unix milliseconds; people know dates. */
function timeOf(name: string, value: string): string {
  if (!name.endsWith('Time') || /^\d+$/.test(value) || value.includes('{{')) return value;
  const ms = momentIn(value);
  if (ms !== undefined) return String(ms);
  throw new UsageError(
    `${name} is no time: ${plainText(value, 60)}`,
    'write 2026-01-31, 2026-01-31T08:00:00+08:00 or Unix milliseconds',
  );
}
