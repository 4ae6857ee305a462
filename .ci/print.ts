/** Prints schemas/ from the code; with `--check` it says which file is stale instead. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { approvalSchema } from '../src/approval/record.ts';
import { configSchema, guards as guardsSchema } from '../src/config/schema.ts';
import { operationNames, operationOf } from '../src/contract/operations/index.ts';
import type { JsonSchema } from '../src/contract/schema.ts';
import { manifestSchema } from '../src/export/manifest-schema.ts';
import { entrySchema } from '../src/journal/schema.ts';
import { planSchema } from '../src/plan/schema.ts';
import { playbookSchema } from '../src/playbook/schema.ts';
import { scenario } from '../src/sandbox/scenario/schema.ts';
import { playbookTestSchema } from '../src/rehearsal/schema.ts';
import { openApi } from './openapi.ts';

const folder = join(import.meta.dirname, '..', 'schemas');
const draft = 'http://json-schema.org/draft-07/schema#';

const papers: Readonly<Record<string, unknown>> = {
  'playbook.schema.json': playbookSchema(),
  'playbook-test.schema.json': playbookTestSchema({ details: true }),
  'operations.schema.json': operationsSchema(),
  'events.schema.json': titled('An event of -o ndjson', versioned(entrySchema.json)),
  'journal.schema.json': titled('The JSON of a journal line', chained(entrySchema.json)),
  'plan.schema.json': titled('A saved plan', planSchema.json),
  'manifest.schema.json': titled('What stands beside an exported file', manifestSchema),
  'approval.schema.json': titled('The text of a signed approval', approvalSchema.json),
  'guards.schema.json': titled('A file of guards', guardsSchema.json),
  'config.schema.json': configSchema.json,
  'scenario.schema.json': scenario.json,
  'openapi.json': openApi(),
};

const isCheck = process.argv.includes('--check');
const stale = Object.entries(papers)
  .map(([name, paper]) => ({ path: join(folder, name), name, text: printed(paper) }))
  .filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text);

if (isCheck && stale.length > 0) {
  console.error(`stale: ${stale.map(({ name }) => `schemas/${name}`).join(', ')}`);
  console.error('run «npm run print» and commit what it writes');
  process.exitCode = 1;
} else if (!isCheck) {
  mkdirSync(folder, { recursive: true });
  for (const { path, name, text } of stale) {
    writeFileSync(path, text);
    console.log(`printed schemas/${name}`);
  }
}

function printed(paper: unknown): string {
  return `${JSON.stringify(paper, undefined, 2)}\n`;
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

function titled(title: string, schema: JsonSchema): object {
  return { $schema: draft, title, ...schema };
}

function versioned(schema: JsonSchema): JsonSchema {
  return {
    allOf: [schema],
    properties: { version: { type: 'integer', enum: [1] } },
    required: ['version'],
  };
}

/** In a journal every entry names the one before it. */
function chained(schema: JsonSchema): JsonSchema {
  const link = { type: 'string', pattern: '^[0-9a-f]{16}$' };
  return { allOf: [schema], properties: { prev: link }, required: ['prev'] };
}
