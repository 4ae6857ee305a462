/** Completions at the cursor inside an expression: members of its path, helpers, their options, and zones. */
import { childOf } from '../../language/check/infer.ts';
import { helperPages, helpers } from '../../language/expression/helpers/index.ts';
import { zoneIn } from '../../language/expression/helpers/zoned.ts';
import { typeName, type Type } from '../../language/expression/type.ts';
import { zoneNames } from '../../language/zone.ts';
import { checkedText, type Surroundings } from './checked.ts';
import type { Completion } from './completion.ts';
import { probe, probed, type Cursor } from './cursor.ts';
import type { TextRange } from './steps.ts';

/** @param offset where the cursor is, in UTF-16 units */
export function completionsInExpression(
  text: string,
  { offset, cursor }: { readonly offset: number; readonly cursor: Cursor },
  file: string,
  surroundings: Surroundings,
): readonly Completion[] {
  const inside = text.slice(text.lastIndexOf('{{', offset - 1) + 2, offset);
  const [, option, begun] = /(\w+)=(?:'([^'"]*)|"[^'"]*)$/.exec(inside) ?? [];
  if (option !== undefined) return begun === undefined ? [] : zonesOf(option, begun, text, offset);
  if (isInText(inside)) return [];
  const { paths } = checkedText(probed(text, cursor), file, surroundings);
  const roots = paths.find(({ root }) => root === probe)?.roots;
  return roots === undefined ? [] : membersAt(cursor, roots, inside);
}

/** Whether a text in quotes is open. */
function isInText(inside: string): boolean {
  return /['"]/.test(inside.replaceAll(/'[^']*'|"[^"]*"/g, ''));
}

/** The zones for an option that takes one. */
function zonesOf(option: string, begun: string, text: string, offset: number): Completion[] {
  const isZone = [...helpers.values()].some(({ named }) => named?.[option]?.proof === zoneIn);
  if (!isZone) return [];
  const [rest = ''] = /^[\w/+:-]*/.exec(text.slice(offset)) ?? [];
  const at = { start: offset - begun.length, end: offset + rest.length };
  return zoneNames().map((label) => ({ label, kind: 'value', at }));
}

function membersAt(
  cursor: Cursor,
  roots: ReadonlyMap<string, Type>,
  inside: string,
): readonly Completion[] {
  const { path, mayCall, start, end } = cursor;
  const [root = '', ...words] = path.split('.');
  const at = { start: start + path.lastIndexOf('.') + 1, end };
  if (words.length === 0) {
    const named = [...roots].map(([name, type]) => member(name, type, at));
    if (mayCall) return [...named, ...helperPages.map((page) => helperItem(page, at))];
    return [...named, ...optionsOf(inside.slice(0, inside.length - path.length), at)];
  }
  let type = roots.get(root);
  for (const word of words.slice(0, -1)) type = type && childOf(type, word)?.type;
  if (type?.kind !== 'record') return [];
  return [...type.fields].map(([name, field]) => member(name, field.type, at, field.isOptional));
}

function member(label: string, type: Type, at: TextRange, isOptional = false): Completion {
  const detail = `${typeName(type)}${isOptional ? ', may be missing' : ''}`;
  return { label, kind: 'name', detail, at };
}

function helperItem(page: (typeof helperPages)[number], at: TextRange): Completion {
  const { name, usage, description } = page;
  return { label: name, kind: 'helper', detail: usage, documentation: description, at };
}

/** The options that the helper of the innermost call takes, and does not have yet. */
function optionsOf(ahead: string, at: TextRange): readonly Completion[] {
  let open = ahead.replaceAll(/'[^']*'|"[^"]*"/g, '');
  while (/\([^()]*\)/.test(open)) open = open.replaceAll(/\([^()]*\)/g, '');
  const call = open.split('(').at(-1) ?? '';
  const [, name = ''] = /^\s*~?\s*(\w+)\s/.exec(call) ?? [];
  const helper = helpers.get(name);
  return Object.entries(helper?.named ?? {})
    .filter(([option]) => !call.includes(`${option}=`))
    .map(([option, { kind }]) => ({
      label: `${option}=`,
      kind: 'name',
      detail: kind,
      ...(helper && { documentation: `\`${helper.usage}\`` }),
      at,
    }));
}
