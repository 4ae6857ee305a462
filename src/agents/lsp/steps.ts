/** The places of a step's id in a playbook: its definition and references. */
import { stepsOf } from '../../language/expressions.ts';
import { sourcesOf } from '../../language/tables.ts';
import { childOf, textOf, type SourceNode } from '../../language/text/node.ts';
import type { Checked } from './checked.ts';

/** A range of an id by its offsets, without quotes. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface NamedStep {
  readonly id: string;
  readonly at: TextRange;
}

/** Every step with the location of its id. */
export function givenIds({ tree, text }: Checked): readonly NamedStep[] {
  const steps = ['steps', 'on-failure', 'finally'].flatMap((key) => itemsOf(childOf(tree, key)));
  return steps.flatMap((step) => named(childOf(step, 'id'), text));
}

/** Every reference to a step. */
export function usedIds(checked: Checked): readonly NamedStep[] {
  const { tree, text, paths, playbook } = checked;
  const steps = ['steps', 'on-failure', 'finally'].flatMap((key) => itemsOf(childOf(tree, key)));
  const listed = [
    ...steps.flatMap((step) => itemsOf(childOf(step, 'needs'))),
    ...itemsOf(childOf(tree, 'schedule')).flatMap((entry) => itemsOf(childOf(entry, 'only'))),
  ].flatMap((node) => named(node, text));
  const sources = (playbook ? stepsOf(playbook) : [])
    .flatMap(sourcesOf)
    .flatMap(({ step, at }) => within(text, step, at.start.offset, at.end.offset));
  const read = paths
    .filter(({ root }) => root === 'steps')
    .flatMap(({ path: [id = ''], at }) => {
      const [ahead] = /^steps\s*\.\s*/.exec(text.slice(at.start.offset)) ?? [];
      if (ahead === undefined) return [];
      const start = at.start.offset + ahead.length;
      return text.startsWith(id, start) ? [{ id, at: { start, end: start + id.length } }] : [];
    });
  const all = [...listed, ...sources, ...read];
  return [...new Map(all.map((one) => [one.at.start, one])).values()];
}

/** The step whose id is at an offset, as definition or reference. */
export function stepAt(checked: Checked, offset: number): NamedStep | undefined {
  return [...givenIds(checked), ...usedIds(checked)].find(
    ({ at }) => at.start <= offset && offset <= at.end,
  );
}

function named(node: SourceNode | undefined, text: string): readonly NamedStep[] {
  const id = textOf(node);
  return node === undefined || id === undefined ? [] : within(text, id, node.start, node.end);
}

function within(text: string, id: string, start: number, end: number): readonly NamedStep[] {
  const at = text.indexOf(id, start);
  return at === -1 || at + id.length > end ? [] : [{ id, at: { start: at, end: at + id.length } }];
}

/** The items of a list; a single value counts as a list of one. */
export function itemsOf(node: SourceNode | undefined): readonly SourceNode[] {
  if (node === undefined) return [];
  return node.kind === 'list' ? node.items : [node];
}
