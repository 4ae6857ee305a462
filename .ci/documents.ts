/** Pages of docs/ that are printed from the code: commands, configuration, troubleshooting. */
import { errorTable } from '../src/exchange/api/errors.ts';
import { isJsonRecord, type Json } from '../src/base/json.ts';
import { exitMeanings } from '../src/cli/exits.ts';
import { errorNames } from '../src/app/explain/errors.ts';
import { globalFlags } from '../src/cli/verbs/flags.ts';
import { verbs } from '../src/cli/verbs/index.ts';
import { exampleOf, headingOf, tasks } from '../src/cli/verbs/tasks.ts';
import type { Flag, Verb } from '../src/cli/verbs/verb.ts';
import { configSchema } from '../src/app/config/parse.ts';
import type { JsonSchema } from '../src/exchange/api/schema.ts';
import { rules } from '../src/language/rules.ts';
import { page, table } from './markdown.ts';

/** Markdown by the name of its page. */
export function documents(): Readonly<Record<string, string>> {
  return {
    'commands.md': commands(),
    'configuration.md': configuration(),
    'troubleshooting.md': troubleshooting(),
  };
}

const printed = 'This page is printed from the code by `npm run print`.';

function commands(): string {
  const sections = tasks.map(({ heading }) => {
    const own = verbs.filter(({ name }) => headingOf(name.split(' ')[0] ?? '') === heading);
    return [`## ${heading.replace(/:$/, '')}`, ...own.map(commandSection)].join('\n\n');
  });
  return page([
    '# Commands',
    'Run `npx deskhand COMMAND --help` for the same text in a terminal. `npx deskhand` without a command lists all commands.',
    printed,
    ...sections,
    '## Flags of every command',
    flagTable(globalFlags),
    '## Exit codes',
    table(
      ['code', 'meaning'],
      exitMeanings.map(([code, meaning]) => [String(code), meaning]),
    ),
  ]);
}

function commandSection(verb: Verb): string {
  const example = exampleOf(verb.name);
  const formats = verb.formats?.map((format) => `\`${format}\``).join(', ');
  return [
    `### ${verb.name}`,
    `\`deskhand ${[verb.name, verb.positionals].filter((part) => part !== '').join(' ')}\``,
    `${verb.description}.`,
    ...(verb.flags.length > 0 ? [flagTable(verb.flags)] : []),
    ...(formats === undefined ? [] : [`Output formats: ${formats}.`]),
    ...(example === undefined ? [] : [`Example: \`deskhand ${example}\``]),
  ].join('\n\n');
}

function flagTable(flags: readonly Flag[]): string {
  const rows = flags.map(({ flags: names, description, isRepeated }) => [
    `\`${names}\``,
    isRepeated ? `${description} (repeatable)` : description,
  ]);
  return table(['flag', 'meaning'], rows);
}

function configuration(): string {
  return page([
    '# Configuration',
    '`deskhand.yaml` holds profiles: accounts, their keys, limits and approvals. deskhand reads it from the current folder, or from the file that `--config` or `DESKHAND_CONFIG` names. Without it, playbooks run on the built-in sandbox.',
    'A flag overrides an environment variable, and a variable overrides the file. `deskhand help environment` lists the variables. `schemas/config.schema.json` describes the file for editors. [docs/proxies.md](proxies.md) explains `proxy`.',
    printed,
    table(['key', 'value', 'meaning'], keysOf(configSchema(), '')),
  ]);
}

/** The keys of an object, and of the objects below it, as paths: `profiles.NAME.guards.order`. */
function keysOf(schema: JsonSchema, path: string): string[][] {
  const own = Object.entries(partOf(schema, 'properties')).flatMap(([name, value]) => {
    if (!isJsonRecord(value)) return [];
    const key = path === '' ? name : `${path}.${name}`;
    return [[`\`${key}\``, valueOf(value), textOf(value['description'])], ...keysOf(value, key)];
  });
  return [
    ...own,
    ...keysOfEach([schema['additionalProperties']], `${path}.NAME`),
    ...keysOfEach(listOf(schema['anyOf']), path),
  ];
}

function keysOfEach(schemas: readonly (Json | undefined)[], path: string): string[][] {
  return schemas.flatMap((schema) =>
    schema !== undefined && isJsonRecord(schema) ? keysOf(schema, path) : [],
  );
}

function valueOf(schema: JsonSchema): string {
  const values = listOf(schema['enum']);
  if (values.length > 0) return values.map((value) => `\`${textOf(value)}\``).join(', ');
  const choices = listOf(schema['anyOf']).filter(isJsonRecord).map(valueOf);
  if (choices.length > 0) return [...new Set(choices)].join(' or ');
  if (schema['type'] === 'array') return `list of ${valueOf(partOf(schema, 'items'))}`;
  if (schema['type'] === 'object') return 'mapping';
  const types = listOf(schema['type']);
  return types.length > 0 ? types.map(textOf).join(' or ') : textOf(schema['type']);
}

function partOf(schema: JsonSchema, key: string): JsonSchema {
  const part = schema[key];
  return part !== undefined && isJsonRecord(part) ? part : {};
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function troubleshooting(): string {
  const codes = [...errorTable.values()].map(({ code, meaning }) => [`\`${code}\``, meaning]);
  return page([
    '# Troubleshooting',
    'An error prints its code as `error[CODE]`, and `-o json` has it under `error.code`. `deskhand explain CODE` prints the same text. `deskhand doctor` diagnoses the setup, and `deskhand runs show last` shows the last run with its next steps.',
    printed,
    '## Error codes',
    table(
      ['code', 'cause, and what to do'],
      Object.entries(errorNames).map(([name, text]) => [`\`${name}\``, text]),
    ),
    '## Rules of `validate`',
    'Each rule has a page with an example: `deskhand explain PB304`.',
    table(
      ['rule', 'meaning'],
      rules.map(({ code, title }) => [`\`${code}\``, title]),
    ),
    '## Codes of the exchange',
    'They are printed as `error[exchange-CODE]`.',
    table(['code', 'meaning'], codes),
  ]);
}
