/** Rewrites expectations in place: only differing values are changed. */
import {
  Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  parseDocument,
  visit,
  type Node,
} from 'yaml';
import type { Json } from '../../base/json.ts';
import { narrowed } from './compare.ts';
import type { Fix, Mismatch, Path } from './mismatch.ts';
import type { Observation } from './observation.ts';

/** A change to one test of the file. */
export interface Revision {
  /** Index of the test in the list of tests. */
  readonly test: number;
  readonly key: 'expect' | 'again';
  readonly change:
    | { readonly kind: 'fix'; readonly mismatches: readonly Mismatch[] }
    /** Writes the first expectation of a test that had none. */
    | { readonly kind: 'write'; readonly value: Json };
}

/** The text with all revisions; comments and everything else are kept. */
export function revised(text: string, revisions: readonly Revision[]): string {
  const document = parseDocument(text, { keepSourceTokens: true });
  const edits = revisions.flatMap((revision) => editFor(revision, text, document));
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (changed, edit) => changed.slice(0, edit.start) + edit.text + changed.slice(edit.end),
      text,
    );
}

/** The expectation that is added to a test without one. */
export function firstExpectation(seen: Observation): Json {
  const { outcome, exit, trouble, plan, orders, positions } = seen;
  const writes = Object.entries(plan?.writes ?? {}).map(([key, input]) => [key, narrowed(input)]);
  return {
    outcome,
    exit,
    ...(trouble && { error: trouble.code }),
    ...(plan && { plan: { writes: Object.fromEntries(writes) } }),
    orders: orders.map((order) => narrowed(order)),
    ...(positions.length > 0 && { positions: positions.map((position) => narrowed(position)) }),
  };
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function editFor({ test, key, change }: Revision, text: string, document: Document): Edit[] {
  const item = document.getIn(['tests', test], true);
  if (!isMap(item) || !item.range) return [];
  if (change.kind === 'write') {
    if (item.flow) return [];
    const end = endOfContent(text, item.range[1]);
    const indent = columnOf(text, item.range[0]);
    const written = rendered(nodeFor({ [key]: change.value }, document));
    return [{ start: end, end, text: indented(`\n${written}`, indent) }];
  }
  const node = item.get(key, true);
  if (!isNode(node) || !node.range) return [];
  for (const { path, fix } of inSafeOrder(change.mismatches)) apply(node, path, fix, document);
  const [start, end] = [node.range[0], endOfContent(text, node.range[1])];
  return [{ start, end, text: indented(withoutOuterComments(node), columnOf(text, start)) }];
}

/**
 * Sorts changes: members are removed from the end of a list, so that other positions stay valid; then new
 * ones are added.
 */
function inSafeOrder(mismatches: readonly Mismatch[]): { path: Path; fix: Fix }[] {
  const fixes = mismatches.flatMap(({ path, fix }) => (fix === undefined ? [] : [{ path, fix }]));
  const ofKind = (kind: Fix['kind']) => fixes.filter(({ fix }) => fix.kind === kind);
  return [...ofKind('set'), ...ofKind('delete').reverse(), ...ofKind('add')];
}

function apply(root: Node, path: Path, fix: Fix, document: Document): void {
  if (!isCollection(root)) return;
  switch (fix.kind) {
    case 'set':
      return root.setIn(path, valueFor(fix.value, document));
    case 'delete':
      root.deleteIn(path);
      return closeGap(root.getIn(path.slice(0, -1), true));
    case 'add': {
      const parent = path.slice(0, -1);
      if (fix.key === undefined) root.addIn(parent, valueFor(fix.value, document));
      else root.setIn(path, valueFor(fix.value, document));
    }
  }
}

/** Removes the blank line before a member when that member becomes the first. */
function closeGap(parent: unknown): void {
  if (!isCollection(parent)) return;
  const [first] = parent.items;
  const node = isPair(first) ? first.key : first;
  if (isNode(node)) node.spaceBefore = false;
}

/** The new value of a node. A scalar is replaced within its node, which keeps its comment. */
function valueFor(value: Json, document: Document): unknown {
  return value !== null && typeof value === 'object' ? nodeFor(value, document) : value;
}

/** The node of a new value. New records of scalar values are written on one line each. */
function nodeFor(value: Json, document: Document): Node {
  const node = document.createNode(value);
  visit(node, {
    Map: (_key, map) => {
      map.flow = map.items.every((item) => isScalar(item.value));
    },
  });
  return node;
}

/**
 * The text of a node without the comments before and after it, which are outside of its range and are kept.
 */
function withoutOuterComments(node: Node): string {
  node.commentBefore = null;
  node.comment = null;
  node.spaceBefore = false;
  return rendered(node);
}

function rendered(node: Node): string {
  const document = new Document();
  document.contents = node;
  return document.toString({ lineWidth: 0 }).trimEnd();
}

/** Indents all lines of a text but the first. */
function indented(text: string, columns: number): string {
  return text.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(columns)}`);
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function endOfContent(text: string, end: number): number {
  return text.slice(0, end).trimEnd().length;
}
