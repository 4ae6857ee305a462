/** Prints schemas/, pages of docs/ and the tables of model/ from the code; `--check` lists stale files instead. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { passkeysSchema } from '../src/approval/passkey/keys.ts';
import { approvalSchema } from '../src/approval/record.ts';
import { configSchema, guards as guardsSchema } from '../src/config/schema.ts';
import { operationNames, operationOf } from '../src/api/operations/index.ts';
import type { JsonSchema, Schema } from '../src/api/schema.ts';
import { manifestSchema } from '../src/export/manifest-schema.ts';
import { errorOutput } from '../src/cli/output/common.ts';
import { entryLine, lines, outputs } from '../src/cli/output/index.ts';
import { entrySchema } from '../src/journal/schema.ts';
import { planSchema } from '../src/plan/schema.ts';
import { playbookSchema } from '../src/playbook/schema.ts';
import { serverOpenApi } from '../src/server/openapi.ts';
import { scenario } from '../src/sandbox/scenario/schema.ts';
import { playbookTestSchema } from '../src/playbook-tests/schema.ts';
import { printedTransitions } from '../test/model/transitions.ts';
import { documents } from './documents.ts';
import { openApi } from './openapi.ts';

const root = join(import.meta.dirname, '..');
const draft = 'http://json-schema.org/draft-07/schema#';

const schemas: Readonly<Record<string, unknown>> = {
  'playbook.schema.json': playbookSchema(),
  'playbook-test.schema.json': playbookTestSchema({ details: true }),
  'operations.schema.json': operationsSchema(),
  'events.schema.json': titled('An event of -o ndjson', entryLine.json),
  'output.schema.json': outputSchema(),
  'journal.schema.json': titled('The JSON of a journal line', chained(entrySchema.json)),
  'plan.schema.json': titled('A saved plan', planSchema.json),
  'manifest.schema.json': titled('The manifest of an exported file', manifestSchema),
  'approval.schema.json': titled('The text of a signed approval', approvalSchema.json),
  'passkeys.schema.json': titled('A file of passkeys that may approve', passkeysSchema.json),
  'guards.schema.json': titled('A file of guards', guardsSchema.json),
  'config.schema.json': configSchema.json,
  'scenario.schema.json': scenario.json,
  'openapi.json': openApi(),
  'server.openapi.json': serverOpenApi(),
};

const isCheck = process.argv.includes('--check');
const files = [
  ...Object.entries(schemas).map(([name, schema]) => ({
    name: `schemas/${name}`,
    text: `${JSON.stringify(schema, undefined, 2)}\n`,
  })),
  { name: 'model/transitions.pml', text: printedTransitions() },
  ...Object.entries(documents()).map(([name, text]) => ({ name: `docs/${name}`, text })),
];
const stale = files
  .map(({ name, text }) => ({ path: join(root, name), name, text }))
  .filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text);

if (isCheck && stale.length > 0) {
  console.error(`stale: ${stale.map(({ name }) => name).join(', ')}`);
  console.error('run `npm run print` and commit what it writes');
  process.exitCode = 1;
} else if (!isCheck) {
  mkdirSync(join(root, 'schemas'), { recursive: true });
  for (const { path, name, text } of stale) {
    writeFileSync(path, text);
    console.log(`printed ${name}`);
  }
}

/** Inputs and outputs of every operation, by name. */
function operationsSchema(): object {
  const definitions = operationNames.flatMap((name) => {
    const { input, output, title } = operationOf(name);
    return [
      [`${name}.input`, { title: `${title}: input`, ...input.json }],
      [`${name}.output`, { title: `${title}: output`, ...output.json }],
    ];
  });
  return {
    $schema: draft,
    title: 'Inputs and outputs of the operations',
    definitions: Object.fromEntries(definitions),
  };
}

/** What `-o json` prints, by verb, a line of `-o ndjson`, and what every verb prints when it fails. */
function outputSchema(): object {
  const known = new Map<Schema<unknown>, string>();
  const definitions = [
    ...Object.entries(outputs),
    ...Object.entries(lines).map(([verb, line]) => [`${verb} line`, line] as const),
    ['error', errorOutput] as const,
  ].map(([words, schema]) => {
    const name = words.replaceAll(' ', '-');
    const same = known.get(schema);
    known.set(schema, same ?? name);
    return [name, same === undefined ? schema.json : { $ref: `#/definitions/${same}` }];
  });
  return {
    $schema: draft,
    title: 'What -o json prints, by verb; VERB-line is a line of -o ndjson',
    definitions: Object.fromEntries(definitions),
  };
}

function titled(title: string, schema: JsonSchema): object {
  return { $schema: draft, title, ...schema };
}

/** In a journal every entry names the one before it. */
function chained(schema: JsonSchema): JsonSchema {
  const link = { type: 'string', pattern: '^[0-9a-f]{16}$' };
  return { allOf: [schema], properties: { prev: link }, required: ['prev'] };
}
