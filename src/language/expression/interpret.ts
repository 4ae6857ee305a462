/** Evaluates expressions: only own properties, no code, unknown values passed on. */
import { Effort } from './effort.ts';
import { extentOf, refuseHuge } from './extent.ts';
import { helpers } from './helpers/index.ts';
import { isPlainMap, mayMiss, type Named } from './helpers/define.ts';
import { pathText, type CallNode, type ExpressionNode, type PathNode } from './node.ts';
import {
  EvaluationError,
  isList,
  isRoot,
  Moment,
  Unknown,
  type Lookup,
  type Scope,
  type Value,
} from './value.ts';

/** @throws EvaluationError when a path has no value or a helper refuses its arguments */
export function evaluateNode(
  node: ExpressionNode,
  scope: Scope,
  effort: Effort = new Effort(),
): Lookup {
  effort.begin(scope.row !== undefined);
  const value = valueOf(node, scope, effort);
  effort.spend(extentOf(value)); // accounts for the search for unknowns
  return lookupOf(value);
}

/** A value as a lookup: a value that contains an unknown one is only partly known. */
export function lookupOf(value: Value): Lookup {
  refuseHuge(value);
  const unknown = unknownIn(value);
  if (unknown === undefined) return { known: true, value };
  return value instanceof Unknown
    ? { known: false, after: unknown.after }
    : { known: false, after: unknown.after, partial: value };
}

function valueOf(node: ExpressionNode, scope: Scope, effort: Effort): Value {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'path': {
      const found = followed(node, scope);
      if (found !== undefined) return found;
      throw new EvaluationError(
        `${pathText(node)} has no value`,
        'use "default" where it may be missing',
      );
    }
    case 'call':
      return called(node, scope, effort);
  }
}

function called(node: CallNode, scope: Scope, effort: Effort): Value {
  const helper = helpers.get(node.helper);
  if (helper === undefined) throw new EvaluationError(`unknown helper ${node.helper}`);
  const positional = node.positional.map((argument, index) =>
    mayMiss(helper, index, node.positional.length)
      ? optionalValue(argument, scope, effort)
      : valueOf(argument, scope, effort),
  );
  const named: Named = Object.fromEntries(
    [...node.named].map(([name, argument]) => [name, valueOf(argument, scope, effort)]),
  );
  const all = [...positional, ...Object.values(named)];
  effort.spend(costOf(node.helper, all));
  const unknown = all
    .map((value) =>
      helper.seesUnknown && !(value instanceof Unknown) ? undefined : unknownIn(value),
    )
    .find((found) => found !== undefined);
  if (unknown !== undefined) return unknown;
  const given = helper.mayMiss ? positional.map((value) => value ?? null) : positional;
  const result = helper.evaluate(
    given.filter((value) => value !== undefined),
    named,
    timeOf(scope),
    effort.itemsMax,
  );
  refuseHuge(result);
  effort.spend(extentOf(result));
  return result;
}

/** The cost of a call: members are read once, and compared many times when sorted. */
function costOf(helper: string, values: readonly (Value | undefined)[]): number {
  let parts = 0;
  for (const value of values) if (value !== undefined) parts += extentOf(value);
  return helper === 'sort' ? parts * ofSorting : parts;
}

const ofSorting = 30;

/** An argument that may be missing. */
function optionalValue(node: ExpressionNode, scope: Scope, effort: Effort): Value | undefined {
  return node.kind === 'path' ? followed(node, scope) : valueOf(node, scope, effort);
}

function followed({ root, path, local }: PathNode, scope: Scope): Value | undefined {
  let at: Value | undefined = local
    ? local.evaluate(scope)
    : isRoot(root)
      ? scope[root]
      : undefined;
  for (const word of local ? path.slice(1) : path) {
    if (at instanceof Unknown || at === undefined) return at;
    at = childOf(at, word);
  }
  return at;
}

function childOf(value: Value, word: string): Value | undefined {
  if (isList(value)) return /^\d{1,9}$/.test(word) ? value[Number(word)] : undefined;
  return isPlainMap(value) && Object.hasOwn(value, word) ? value[word] : undefined;
}

/** The first unknown in a value, at any depth. */
function unknownIn(value: Value | undefined): Unknown | undefined {
  if (value instanceof Unknown) return value;
  if (value !== undefined && isList(value)) return firstOf(value);
  return isPlainMap(value) ? firstOf(Object.values(value)) : undefined;
}

function firstOf(values: readonly Value[]): Unknown | undefined {
  for (const value of values) {
    const found = unknownIn(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The constant time of the run; expressions have no other clock. */
function timeOf(scope: Scope): number {
  const { run } = scope;
  const time = isPlainMap(run) ? run['time'] : undefined;
  return time instanceof Moment ? time.ms : 0;
}
