/** The inputs and outputs of a playbook as declarations of TypeScript, for programs that import the library. */
import type { Type } from './expression/type.ts';
import type { DeclaredType, Playbook } from './playbook.ts';

/**
 * @param outputs the type of the outputs, as the check of the playbook infers it
 * @returns a module with the interfaces `Inputs` and `Outputs`
 */
export function typescriptOf(playbook: Playbook, file: string, outputs: Type): string {
  const inputs = [...playbook.inputs.values()].map(({ isRequired, description, ...type }) =>
    field(type.name, isRequired, declared(type, 1), commentOf(description)),
  );
  const results = outputs.kind === 'record' ? [...outputs.fields] : [];
  const found = results.map(([name, { type }]) =>
    field(name, true, `${inferred(type, 1)} | null`, ''),
  );
  return [
    `/** Of the playbook ${commentText(playbook.name)} in ${commentText(file)}, by \`deskhand types FILE\`: run it again when they change. */`,
    '',
    '/** Values of the option `inputs`; exact decimals are texts. */',
    block('Inputs', inputs),
    '',
    '/** The `outputs` of the report of a run that is done; null if a step that gives the value was skipped. */',
    block('Outputs', found),
    '',
  ].join('\n');
}

function block(name: string, lines: readonly string[]): string {
  return lines.length === 0
    ? `export type ${name} = Readonly<Record<string, never>>;`
    : `export interface ${name} {\n${lines.join('\n')}\n}`;
}

function field(name: string, isRequired: boolean, type: string, comment: string): string {
  return `${comment}  readonly ${key(name)}${isRequired ? '' : '?'}: ${type};`;
}

/** The JSON that an input accepts. */
function declared({ type, items, fields, values }: DeclaredType, depth: number): string {
  switch (type) {
    case 'string':
    case 'duration':
      return 'string';
    case 'integer':
    case 'decimal':
    case 'time':
      return 'number | string';
    case 'boolean':
      return 'boolean';
    case 'enum':
      return (values ?? []).map((value) => JSON.stringify(value)).join(' | ') || 'string';
    case 'list':
      return `readonly (${items ? declared(items, depth) : 'unknown'})[]`;
    case 'map':
      return `Readonly<Record<string, ${items ? declared(items, depth) : 'unknown'}>>`;
    case 'record': {
      const all = [...(fields ?? [])].map(([name, each]): Member => {
        const isRequired = !each.isOptional && each.default === undefined;
        return [name, isRequired, declared(each, depth + 1)];
      });
      return members(all, depth);
    }
  }
}

/** The JSON of a value: decimals and times are texts. */
function inferred(type: Type, depth: number): string {
  switch (type.kind) {
    case 'text':
    case 'decimal':
    case 'time':
      return 'string';
    case 'integer':
      return 'number | string'; // more than 15 digits are a text
    case 'duration':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'any':
      return 'unknown';
    case 'list':
      return `readonly (${inferred(type.items, depth)})[]`;
    case 'map':
      return `Readonly<Record<string, ${inferred(type.values, depth)}>>`;
    case 'record': {
      const all = [...type.fields].map(([name, { type: own, isOptional }]): Member => [
        name,
        isOptional !== true,
        inferred(own, depth + 1),
      ]);
      return members(all, depth);
    }
  }
}

type Member = readonly [name: string, isRequired: boolean, type: string];

function members(all: readonly Member[], depth: number): string {
  if (all.length === 0) return 'Readonly<Record<string, never>>';
  const indent = '  '.repeat(depth);
  const lines = all.map(
    ([name, isRequired, type]) => `${indent}${field(name, isRequired, type, '')}`,
  );
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function commentOf(description: string | undefined): string {
  return description === undefined ? '' : `  /** ${commentText(description)} */\n`;
}

/** A text in a comment: no line break, and no end of the comment. */
function commentText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /').trim();
}
