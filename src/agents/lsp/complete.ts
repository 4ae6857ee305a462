/** Completions at the cursor inside an expression: members of its path, and helpers. */
import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver/node';
import { childOf } from '../../language/check/infer.ts';
import { helperPages } from '../../language/expression/helpers/index.ts';
import { typeName, type Type } from '../../language/expression/type.ts';
import { checkedText, type Surroundings } from './checked.ts';
import { cursorAt, probe, probed, type Cursor } from './cursor.ts';

/**
 * The completions at the cursor.
 * @param offset where the cursor is, in UTF-16 units
 */
export function completionsAt(
  text: string,
  offset: number,
  file: string,
  surroundings: Surroundings,
): readonly CompletionItem[] {
  const cursor = cursorAt(text, offset);
  if (cursor === undefined) return [];
  const { paths } = checkedText(probed(text, cursor), file, surroundings);
  const roots = paths.find(({ root }) => root === probe)?.roots;
  return roots === undefined ? [] : membersAt(cursor, roots);
}

function membersAt(
  { path, mayCall }: Cursor,
  roots: ReadonlyMap<string, Type>,
): readonly CompletionItem[] {
  const [root = '', ...words] = path.split('.');
  if (words.length === 0) {
    const named = [...roots].map(([name, type]) => member(name, type));
    return mayCall ? [...named, ...helperItems] : named;
  }
  let type = roots.get(root);
  for (const word of words.slice(0, -1)) type = type && childOf(type, word)?.type;
  if (type?.kind !== 'record') return [];
  return [...type.fields].map(([name, field]) => member(name, field.type, field.isOptional));
}

function member(name: string, type: Type, isOptional = false): CompletionItem {
  const detail = `${typeName(type)}${isOptional ? ', may be missing' : ''}`;
  return { label: name, detail, kind: CompletionItemKind.Field };
}

const helperItems: readonly CompletionItem[] = helperPages.map(({ name, usage, description }) => ({
  label: name,
  detail: usage,
  documentation: description,
  kind: CompletionItemKind.Function,
}));
