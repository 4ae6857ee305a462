/** Problems that another problem causes, and that disappear when that one is fixed. */
import type { Problem } from '../problem.ts';
import type { SourceRange } from '../source-range.ts';
import { childOf, textOf, type SourceNode } from '../text/node.ts';

/** The rules for an unknown key: its intended key is missing. */
const causes: ReadonlySet<string> = new Set(['PB101', 'PB202']);

/** The rules for an expression that cannot be read, with all of its references. */
const unreadable: ReadonlySet<string> = new Set(['PB301', 'PB302', 'PB303']);

/** Problems of references, whose target may be missing for another reason. */
const references: ReadonlySet<string> = new Set([
  'PB304',
  'PB305',
  'PB306',
  'PB311',
  'PB402',
  'PB415',
  'PB416',
]);

/** A part of the text, by offsets. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** A step, or an input: its problems rarely have a cause in another, except by name. */
interface Block extends Part {
  readonly name: string | undefined;
}

/** @param problems the problems of one file, in order @returns the problems caused by others */
export function consequencesIn(
  problems: readonly Problem[],
  tree: SourceNode,
  text: string,
): ReadonlySet<Problem> {
  const blocks = blocksIn(tree);
  const around = blocksAround(problems, blocks);
  const blockOf = (problem: Problem): Block | undefined => around.get(problem);
  const damagedBy = (isCause: (code: string) => boolean): ReadonlySet<Block | undefined> =>
    new Set(problems.filter(({ code, level }) => level === 'error' && isCause(code)).map(blockOf));
  const damaged = damagedBy((code) => causes.has(code));
  const misspelled = damagedBy((code) => code === 'PB101');
  const names = new Set([...damaged].flatMap((block) => block?.name ?? []));
  const tainted = taintedBy(names, blocks, text);
  const isNameless = [...damaged].some((block) => block !== undefined && block.name === undefined);
  const unread = problems.filter(({ code }) => code === 'PB105');
  const hasUnread = problems.some(({ code }) => unreadable.has(code));
  const reported = new Set<string>();
  const namesIn = damagedNames(names, text);
  const follows = (problem: Problem): boolean => {
    if (causes.has(problem.code) || problem.code.startsWith('PB00')) return false; // the spelling
    // The reference to the damaged block may be misspelled, or in an expression that cannot be read.
    if (problem.code === 'PB501' && (damaged.size > 0 || hasUnread)) return true;
    // Of missing fields, those that a misspelled field means are left out where they are reported.
    const cause = problem.code === 'PB203' ? misspelled : damaged;
    if (cause.has(undefined) || cause.has(blockOf(problem))) return true;
    const missing = missingIn(problem);
    if (isNameless && missing !== undefined) return true;
    const block = blockOf(problem);
    if (references.has(problem.code)) {
      if (unread.some(({ at }) => isWithin(at, problem.at))) return true; // the name is an expression
      if (block && tainted.has(block)) return true;
      if (namesIn(linesOf(problem, text))) return true;
    }
    return missing !== undefined && reported.size === reported.add(missing).size;
  };
  return new Set(problems.filter(follows));
}

function isWithin({ start }: SourceRange, around: SourceRange): boolean {
  return around.start.offset <= start.offset && start.offset < around.end.offset;
}

function blocksIn(tree: SourceNode): readonly Block[] {
  const steps = ['steps', 'on-failure', 'finally'].flatMap((key) => {
    const list = childOf(tree, key);
    return list?.kind === 'list' ? list.items : [];
  });
  const inputs = childOf(tree, 'inputs');
  const entries = inputs?.kind === 'map' ? [...inputs.entries] : [];
  return [
    ...steps.map((step) => ({
      start: step.start,
      end: step.end,
      name: textOf(childOf(step, 'id')),
    })),
    ...entries.map(([name, { key, value }]) => ({ start: key.start, end: value.end, name })),
  ];
}

/** The block of each problem in one; both are in the order of the text. */
function blocksAround(
  problems: readonly Problem[],
  blocks: readonly Block[],
): ReadonlyMap<Problem, Block> {
  const around = new Map<Problem, Block>();
  const ordered = blocks.toSorted((a, b) => a.start - b.start);
  let place = 0;
  for (const problem of problems) {
    const { offset } = problem.at.start;
    while ((ordered[place]?.end ?? Infinity) <= offset) place += 1;
    const block = ordered[place];
    if (block !== undefined && block.start <= offset) around.set(problem, block);
  }
  return around;
}

/** Whether lines have one of the names; each is read once, also one with many problems. */
function damagedNames(names: ReadonlySet<string>, text: string): (lines: Part) => boolean {
  const found = new Map<string, boolean>();
  return (lines) => {
    const key = `${lines.start} ${lines.end}`;
    const known = found.get(key) ?? wordsIn(text, lines).some((word) => names.has(word));
    found.set(key, known);
    return known;
  };
}

/**
 * Blocks that refer to a damaged one, or to one of these: their types are uncertain. Adds their
 * names.
 */
function taintedBy(names: Set<string>, blocks: readonly Block[], text: string): ReadonlySet<Block> {
  const tainted = new Set<Block>();
  for (const block of names.size === 0 ? [] : blocks) {
    if (!wordsIn(text, block).some((word) => names.has(word))) continue;
    tainted.add(block);
    if (block.name !== undefined) names.add(block.name);
  }
  return tainted;
}

/** The name that a problem reports as missing. */
function missingIn({ code, message }: Problem): string | undefined {
  if (code === 'PB402' || code === 'PB415') return /"([^"]+)"/.exec(message)?.[1];
  const [whole, of = '', name] =
    /^(.+) ha(?:s|ve) no "([^"]+)"$/.exec(message) ??
    /^unknown (column) "([^"]+)"$/.exec(message) ??
    [];
  return ['steps', 'inputs', 'row', 'the members', 'step', 'column'].includes(of) ? name : whole;
}

function linesOf({ at }: Problem, text: string): Part {
  const end = text.indexOf('\n', at.end.offset);
  return {
    start: text.lastIndexOf('\n', at.start.offset) + 1,
    end: end === -1 ? text.length : end,
  };
}

function wordsIn(text: string, { start, end }: Part): readonly string[] {
  return text.slice(start, end).split(/[^A-Za-z0-9_-]+/);
}
