/** The parts of responses that the expressions of a playbook use, and responses reduced to them. */
import { isJsonRecord, type Json } from '../../base/json.ts';
import type { ExpressionNode, LocalValue } from '../../language/expression/node.ts';
import { expressionsOf, stepsOf } from '../../language/expressions.ts';
import type { Playbook, Step } from '../../language/playbook.ts';
import { sourcesOf } from '../../language/tables.ts';
import { expressionsIn } from '../../language/template.ts';

/** The parts of a value that expressions use. */
export interface Uses {
  /** Whether the whole value is used. */
  readonly isWhole: boolean;
  /** Whether the number of the value's members is used. */
  readonly isCounted: boolean;
  /** The used parts of the value's members, by name or position; `*` means every member. */
  readonly members: ReadonlyMap<string, Uses>;
}

/** The used parts of each step's response, by the step's id. */
export type StepUses = ReadonlyMap<string, Uses>;

const everyMember = '*';

/** Follows every expression of a playbook to the responses it uses. */
export function usesIn(playbook: Playbook): StepUses {
  const collector = new Collector(stepsOf(playbook));
  for (const template of playbook.outputs.values()) {
    for (const { node } of expressionsIn(template)) collector.follow(node, undefined, whole);
  }
  return collector.found;
}

/** The uses of a playbook that is used repeatedly, computed once. @param known the uses by digest */
export function usesFor(playbook: Playbook, known: Map<string, StepUses>): StepUses {
  const found = known.get(playbook.digest) ?? usesIn(playbook);
  known.set(playbook.digest, found);
  return found;
}

/** The location of a used value, and the used part of it. */
interface Part {
  readonly path: readonly string[];
  /** The used part. `place`: whether a value exists; its use is recorded elsewhere. */
  readonly of: 'all' | 'count' | 'place';
}

const whole: Part = { path: [], of: 'all' };

interface Marks {
  isWhole: boolean;
  isCounted: boolean;
  readonly members: Map<string, Marks>;
}

class Collector {
  readonly found = new Map<string, Marks>();
  readonly #steps: ReadonlyMap<string, Step>;
  readonly #seen = new Map<LocalValue, Set<string>>();

  constructor(steps: readonly Step[]) {
    this.#steps = new Map(steps.map((step) => [step.id, step]));
    for (const step of steps) this.#step(step);
  }

  #step(step: Step): void {
    const { forEach, ...rest } = step;
    for (const { node } of expressionsOf(rest)) this.follow(node, step, whole);
    for (const source of sourcesOf(step)) this.#mark(source.step, whole);
    if (forEach !== undefined) this.#items(step, { path: [everyMember], of: 'place' });
  }

  /** @param part the used part of the expression's value */
  follow(node: ExpressionNode, step: Step | undefined, part: Part): void {
    if (node.kind === 'call') return this.#call(node, step, part);
    if (node.kind === 'literal') return;
    if (node.local)
      return this.#ofLocal(node.local, step, {
        ...part,
        path: [...node.path.slice(1), ...part.path],
      });
    const path = [...node.path, ...part.path];
    if (node.root === 'steps') this.#ofSteps({ ...part, path });
    if (step === undefined) return;
    if (node.root === 'response') this.#mark(step.id, { ...part, path });
    if (node.root === 'each') this.#ofItem(step, { ...part, path });
  }

  /** Follows a value of `let`, once for each used part. */
  #ofLocal(local: LocalValue, step: Step | undefined, part: Part): void {
    const parts = this.#seen.get(local) ?? new Set();
    this.#seen.set(local, parts);
    const name = `${part.of} ${part.path.join('.')}`;
    if (parts.has(name)) return;
    parts.add(name);
    if (local.whole) return this.follow(local.whole, step, part);
    this.#each(local.references, step, whole);
  }

  #call(
    { helper, positional, named }: Extract<ExpressionNode, { kind: 'call' }>,
    step: Step | undefined,
    part: Part,
  ): void {
    const [list, field] = positional;
    const name = field?.kind === 'literal' && typeof field.value === 'string' ? field.value : '';
    const by = named.get('by');
    const order = by?.kind === 'literal' && typeof by.value === 'string' ? by.value : '';
    const [, ...within] = part.path;
    const ofMembers: Part = { ...part, path: [everyMember, ...within] };
    switch (helper) {
      case 'default':
      case 'coalesce':
      case 'required':
        for (const argument of positional) this.follow(argument, step, part);
        return;
      case 'length':
        return this.#each([list], step, { path: [], of: 'count' });
      case 'first':
      case 'last':
      case 'at':
        this.#each([list], step, { ...part, path: [everyMember, ...part.path] });
        return this.#each([field], step, whole);
      case 'pluck':
        if (name === '') break;
        this.#each([list], step, { ...part, path: [everyMember, name, ...within] });
        return this.#each([...named.values()], step, whole);
      case 'filter':
      case 'sort': {
        const looksAt = helper === 'filter' ? name : order;
        if (looksAt === '') break;
        this.#each([list], step, { path: [everyMember, looksAt], of: 'all' });
        this.#each([list], step, part.path.length === 0 ? part : ofMembers);
        return this.#each([...positional.slice(1), ...named.values()], step, whole);
      }
    }
    this.#each([...positional, ...named.values()], step, whole);
  }

  #each(nodes: readonly (ExpressionNode | undefined)[], step: Step | undefined, part: Part): void {
    for (const node of nodes) if (node !== undefined) this.follow(node, step, part);
  }

  /** Follows `each`, whose value is a member of the step's for-each list. */
  #ofItem(step: Step, { path: [word, ...rest], of }: Part): void {
    if (word === undefined) this.#items(step, { path: [everyMember], of: 'all' });
    if (word === 'value') this.#items(step, { path: [everyMember, ...rest], of });
  }

  #items({ forEach, ...step }: Step, part: Part): void {
    if (forEach === undefined) return;
    if (forEach.kind === 'expression') return this.follow(forEach.expression.node, step, part);
    for (const { node } of expressionsIn(forEach)) this.follow(node, step, whole);
  }

  #ofSteps({ path: [id, field, ...rest], of }: Part): void {
    if (id === undefined || id === everyMember) {
      for (const each of this.#steps.keys()) this.#mark(each, whole);
      return;
    }
    const step = this.#steps.get(id);
    if (step === undefined) return;
    const path = step.forEach === undefined ? rest : rest.slice(1);
    const isAnswer = field === 'response' || (field === 'outputs' && step.outputs === undefined);
    if (isAnswer) this.#mark(id, { path, of });
    if (field === undefined || field === everyMember) this.#mark(id, whole);
  }

  #mark(id: string, { path, of }: Part): void {
    let marks = this.found.get(id) ?? noMarks();
    this.found.set(id, marks);
    for (const word of path) {
      const next = marks.members.get(word) ?? noMarks();
      marks.members.set(word, next);
      marks = next;
    }
    if (of === 'all') marks.isWhole = true;
    if (of === 'count') marks.isCounted = true;
  }
}

function noMarks(): Marks {
  return { isWhole: false, isCounted: false, members: new Map() };
}

/** A value reduced to its used parts; every expression has the same result with both. */
export function usedOf(value: Json, uses: readonly Uses[]): Json {
  if (value === null || typeof value !== 'object') return value;
  if (uses.some(({ isWhole }) => isWhole)) return value;
  const isCounted = uses.some((use) => use.isCounted || use.members.has(everyMember));
  if (isJsonRecord(value)) {
    const names = Object.keys(value).filter(
      (name) => isCounted || uses.some(({ members }) => members.has(name)),
    );
    return Object.fromEntries(
      names.map((name) => [name, usedOf(value[name] ?? null, usesOf(name, uses))]),
    );
  }
  const places = uses.flatMap(({ members }) => [...members.keys()].map(Number));
  const length = isCounted ? value.length : Math.max(-1, ...places.filter(Number.isInteger)) + 1;
  return value.slice(0, length).map((member, index) => usedOf(member, usesOf(String(index), uses)));
}

/** The uses of a member. */
export function usesOf(name: string, uses: readonly Uses[]): readonly Uses[] {
  return uses.flatMap(({ members }) =>
    [members.get(name), members.get(everyMember)].filter((found) => found !== undefined),
  );
}

/** The used values as paths: `list.*.clientOid`; '' means the whole response. */
export function pathsIn({ isWhole, isCounted, members }: Uses): readonly string[] {
  if (isWhole || (isCounted && members.size === 0)) return [''];
  return [...members].flatMap(([name, inner]) => {
    const within = inner.members.size === 0 ? [''] : pathsIn(inner);
    return within.map((path) => (path === '' ? name : `${name}.${path}`));
  });
}
