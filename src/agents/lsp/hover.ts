/** A short description of the word under the cursor: the type of a path, a helper, an operation. */
import { isOperation, operationOf } from '../../exchange/api/operations/index.ts';
import { helperPages } from '../../language/expression/helpers/index.ts';
import { pathText } from '../../language/expression/node.ts';
import { typeName, type Type } from '../../language/expression/type.ts';
import { childOf, textOf, type SourceNode } from '../../language/text/node.ts';
import type { Checked } from './checked.ts';
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
  return pathAt(checked, offset) ?? helperAt(checked, offset) ?? operationAt(checked, offset);
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

function operationAt({ tree }: Checked, offset: number): Hovered | undefined {
  const node = usesIn(tree).find(({ start, end }) => start <= offset && offset < end);
  const name = textOf(node);
  if (node === undefined || name === undefined || !isOperation(name)) return undefined;
  const { title, method, path } = operationOf(name);
  return { description: `**${title}**\n\n\`${method} ${path}\``, at: node };
}

function usesIn(tree: SourceNode | undefined): readonly SourceNode[] {
  return ['steps', 'on-failure', 'finally'].flatMap((key) => {
    const list = childOf(tree, key);
    const steps = list?.kind === 'list' ? list.items : [];
    return steps.flatMap((step) => childOf(step, 'uses') ?? []);
  });
}
