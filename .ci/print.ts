/**
 * Prints schemas/, man/ and its list in package.json, pages of docs/, the tables of model/ and the
 * declarations of the library in api/ from the code, and bench/README.md from the results of benches;
 * `--check` lists stale files instead.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { passkeysSchema } from '../src/engine/approval/passkey/keys.ts';
import { answerSchema } from '../src/engine/approval/answer-record.ts';
import { approvalSchema } from '../src/engine/approval/record.ts';
import { configSchema } from '../src/app/config/parse.ts';
import { guards as guardsSchema } from '../src/app/config/profile-guards.ts';
import { receivedSchema } from '../src/exchange/api/received-schema.ts';
import { operationNames, operationOf } from '../src/exchange/api/operations/index.ts';
import type { JsonSchema, Schema } from '../src/exchange/api/schema.ts';
import { manifestSchema } from '../src/engine/export/manifest-schema.ts';
import { errorOutput } from '../src/app/documents/common.ts';
import { entryLine, lines, outputs } from '../src/app/documents/index.ts';
import { entrySchema } from '../src/engine/journal/entry-schema.ts';
import { planSchema } from '../src/engine/plan/plan-schema.ts';
import { playbookSchema } from '../src/language/schema.ts';
import { serverOpenApi } from '../src/serve/server/openapi.ts';
import { writtenScenario } from '../src/sandbox/scenario/written.ts';
import { playbookTestSchema } from '../src/rehearsal/tests/schema.ts';
import { printedTransitions } from '../test/model/transitions.ts';
import { curvePictures } from './curves.ts';
import { documents } from './documents.ts';
import { figures } from './figures.ts';
import { manual } from './manual.ts';
import { openApi } from './openapi.ts';
import { portable } from './portable-schema.ts';
import { examples as examplesOf } from './schema-examples.ts';
import { schemaText } from './schema-text.ts';

const root = join(import.meta.dirname, '..');
const draft = 'http://json-schema.org/draft-07/schema#';

/** By the name of the file without its ending. */
const schemas: Readonly<Record<string, JsonSchema>> = {
  playbook: playbookSchema(),
  'playbook-test': playbookTestSchema({ details: true }),
  operations: operationsSchema(),
  events: titled('An event of -o ndjson', entryLine.json),
  output: outputSchema(),
  journal: titled('The JSON of a journal line', chained(entrySchema.json)),
  plan: titled('A saved plan', planSchema.json),
  manifest: titled('The manifest of an exported file', manifestSchema),
  approval: titled('The text of a signed approval: of a plan, or of a step of a run', {
    anyOf: [approvalSchema.json, answerSchema.json],
  }),
  passkeys: titled('A file of passkeys that may approve', passkeysSchema.json),
  guards: titled('A file of guards', guardsSchema.json),
  config: configSchema(),
  scenario: writtenScenario,
};

const printed: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      `${name}.schema.json`,
      published(name, schema),
    ]),
  ),
  // With suggestions, and messages for patterns: words of VS Code, which strict validators refuse.
  'editor/playbook.schema.json': schemas['playbook'],
  'editor/playbook-test.schema.json': schemas['playbook-test'],
  'editor/scenario.schema.json': schemas['scenario'],
  'openapi.json': openApi(),
  'server.openapi.json': serverOpenApi(),
};

const pages = manual();
const isCheck = process.argv.includes('--check');
const files = [
  ...Object.entries(printed).map(([name, page]) => ({
    name: `schemas/${name}`,
    text: schemaText(page),
  })),
  { name: 'model/transitions.pml', text: printedTransitions() },
  ...Object.entries(documents()).map(([name, text]) => ({ name: `docs/${name}`, text })),
  { name: 'bench/README.md', text: figures() },
  ...Object.entries(await curvePictures()).map(([name, text]) => ({ name: `docs/${name}`, text })),
  ...Object.entries(pages).map(([name, text]) => ({ name: `man/${name}`, text })),
  { name: 'package.json', text: packageWith(Object.keys(pages)) },
  ...declarations(),
];
const stale = files
  .map(({ name, text }) => ({ path: join(root, name), name, text }))
  .filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text);

if (isCheck && stale.length > 0) {
  console.error(`stale: ${stale.map(({ name }) => name).join(', ')}`);
  console.error('run `npm run print` and commit what it writes');
  process.exitCode = 1;
} else if (!isCheck) {
  for (const { path, name, text } of stale) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`printed ${name}`);
  }
}

/** What the library offers to programs: a change of it is then seen in the diff of its commit. */
function declarations(): readonly { readonly name: string; readonly text: string }[] {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    execFileSync(process.execPath, [join(root, '.ci', 'declarations.mjs'), folder]);
    return readdirSync(folder).map((name) => ({
      name: `api/${name}`,
      text: readFileSync(join(folder, name), 'utf8'),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Inputs and outputs of every operation, by name. */
function operationsSchema(): JsonSchema {
  const definitions = operationNames.flatMap((name) => {
    const { input, title } = operationOf(name);
    return [
      [`${name}.input`, { title: `${title}: input`, ...input.json }],
      [`${name}.output`, { title: `${title}: output`, ...receivedSchema(name) }],
    ];
  });
  return {
    $schema: draft,
    title: 'Inputs and outputs of the operations',
    definitions: Object.fromEntries(definitions),
  };
}

/** What `-o json` prints, by verb, a line of `-o ndjson`, and what every verb prints when it fails. */
function outputSchema(): JsonSchema {
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

/** @param name of the file, without its ending */
function published(name: string, schema: JsonSchema): object {
  const { $schema, title, ...rest } = portable(schema);
  const examples = examplesOf[name];
  return {
    $schema,
    $id: `urn:deskhand:schema:${name}`,
    title,
    ...rest,
    ...(examples !== undefined && { examples }),
  };
}

function titled(title: string, schema: JsonSchema): JsonSchema {
  return { $schema: draft, title, ...schema };
}

/** In a journal every entry names the one before it. */
function chained(schema: JsonSchema): JsonSchema {
  const link = { type: 'string', pattern: '^[0-9a-f]{16}$' };
  return { allOf: [schema], properties: { prev: link }, required: ['prev'] };
}

/** npm installs the pages of the manual that the manifest names. */
function packageWith(names: readonly string[]): string {
  const manifest: object = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const man = names.map((name) => `man/${name}`).toSorted();
  return `${JSON.stringify({ ...manifest, man }, undefined, 2)}\n`;
}
