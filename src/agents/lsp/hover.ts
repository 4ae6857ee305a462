/** A description of the word under the cursor: the type of a path, a helper, an operation, a key. */
import { isRecord } from '../../base/json.ts';
import { factsOf, fieldRows } from '../../app/explain/operation.ts';
import { isOperation, operationOf } from '../../exchange/api/operations/index.ts';
import { helperPages } from '../../language/expression/helpers/index.ts';
import { pathText } from '../../language/expression/node.ts';
import { typeName, type Type } from '../../language/expression/type.ts';
import { builtIns } from '../../language/playbook.ts';
import { ofBuiltIns } from '../../language/schema/with.ts';
import { plain } from '../../language/source.ts';
import type { SourceNode } from '../../language/text/node.ts';
import type { Checked } from './checked.ts';
import { playbookSchemasAt } from './schema-at.ts';
import { cursorAt } from './cursor.ts';
import type { TextRange } from './steps.ts';

export interface Hovered {
  /** The description in Markdown. */
  readonly description: string;
  readonly at: TextRange;
}

/**
 * The description at an offset.
 * @param offset in UTF-16 units
 */
export function hoverAt(checked: Checked, offset: number): Hovered | undefined {
  return pathAt(checked, offset) ?? helperAt(checked, offset) ?? wordAt(checked, offset);
}

function pathAt({ paths }: Checked, offset: number): Hovered | undefined {
  const seen = paths.find(({ at }) => at.start.offset <= offset && offset < at.end.offset);
  if (seen === undefined) return undefined;
  const { at, type } = seen;
  const description = [`\`${pathText(seen)}\`: ${typeName(type)}`, ...fieldLines(type)].join(
    '\n\n',
  );
  return { description, at: { start: at.start.offset, end: at.end.offset } };
}

function fieldLines(type: Type): readonly string[] {
  const record = type.kind === 'list' ? type.items : type.kind === 'map' ? type.values : type;
  if (record.kind !== 'record' || record.fields.size === 0) return [];
  const fields = [...record.fields].map(
    ([name, { type: of, isOptional }]) =>
      `- \`${name}\`: ${typeName(of)}${isOptional ? ', may be missing' : ''}`,
  );
  return [fields.join('\n')];
}

function helperAt({ text }: Checked, offset: number): Hovered | undefined {
  const cursor = cursorAt(text, offset);
  if (cursor === undefined) return undefined;
  const word = text.slice(cursor.start, cursor.end);
  const page = helperPages.find(({ name }) => name === word);
  if (page === undefined) return undefined;
  const { usage, description, example } = page;
  const shown = `\`${usage}\`\n\n${description}\n\n\`${example.expression}\` gives \`${example.result}\``;
  return { description: shown, at: { start: cursor.start, end: cursor.end } };
}

/** The operation that a step uses, or what the schema says about a key or a value. */
function wordAt({ tree }: Checked, offset: number): Hovered | undefined {
  const found = tree && scalarAt(tree, offset, []);
  if (tree === undefined || found === undefined) return undefined;
  const { path, at, value } = found;
  const action = path.at(-1) === 'uses' && value !== undefined ? actionText(value) : undefined;
  if (action !== undefined) return { description: action, at };
  if (value !== undefined) return undefined;
  const about = playbookSchemasAt(plain(tree), path).find(({ description }) => description);
  const description = about?.['description'];
  const name = path.at(-1) ?? '';
  return typeof description === 'string'
    ? { description: `\`${name}\`: ${description}`, at }
    : undefined;
}

/** An operation or a built-in step with its fields. */
function actionText(name: string): string | undefined {
  if (isOperation(name)) {
    const operation = operationOf(name);
    const { title, method, path } = operation;
    const facts = factsOf(name).map(([what, text]) => `- ${what}: ${text}`);
    const fields = fieldRows(operation).map(([field = '', need = '', meaning = '']) =>
      fieldLine(field, need, meaning),
    );
    return [
      `**${title}**`,
      `\`${method} ${path}\``,
      facts.join('\n'),
      fields.length === 0 ? 'It has no fields.' : `Fields:\n\n${fields.join('\n')}`,
    ].join('\n\n');
  }
  const builtIn = builtIns.find((each) => each === name);
  if (builtIn === undefined) return undefined;
  const { title, description, properties, required = [] } = ofBuiltIns[builtIn];
  const fields = Object.entries(properties).map(([field, about]) => {
    const meaning = isRecord(about) ? String(about['description'] ?? '') : '';
    return fieldLine(field, required.includes(field) ? 'required' : '', meaning);
  });
  return [`**${title}**`, description, `Fields:\n\n${fields.join('\n')}`].join('\n\n');
}

function fieldLine(name: string, need: string, meaning: string): string {
  return `- \`${name}\`${need === '' ? '' : ` (${need})`}${meaning === '' ? '' : `: ${meaning}`}`;
}

interface Word {
  readonly path: readonly string[];
  readonly at: TextRange;
  /** The text of a value; absent for a key. */
  readonly value?: string;
}

/** The key or the single value at an offset, where it is written. */
function scalarAt(node: SourceNode, offset: number, path: readonly string[]): Word | undefined {
  const isHere = ({ start, end }: TextRange): boolean => start <= offset && offset < end;
  if (node.kind === 'scalar') {
    return isHere(node) && node.via === undefined
      ? { path, at: node, value: node.text }
      : undefined;
  }
  const children: readonly (readonly [string, SourceNode, TextRange?])[] =
    node.kind === 'list'
      ? node.items.map((item, index) => [String(index), item])
      : [...node.entries].map(([name, { key, value }]) => [name, value, key]);
  for (const [name, child, key] of children) {
    const inner = [...path, name];
    if (key !== undefined && isHere(key)) return { path: inner, at: key };
    const found = scalarAt(child, offset, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
