/** The values of `let`: named once, evaluated where they are first needed, and kept for the same scope. */
import { evaluateTemplate } from './expression/evaluate.ts';
import { pathsIn, pathText, type LocalValue, type PathNode } from './expression/node.ts';
import { isRoot, Unknown, type Scope, type Value } from './expression/value.ts';
import type { Template } from './playbook.ts';
import { expressionsIn } from './template.ts';

/** @param isOfStep whether the value belongs to a step: other steps may have another one of its name */
export function localOf(name: string, template: Template, isOfStep: boolean): LocalValue {
  const nodes = expressionsIn(template).map(({ node }) => node);
  const references = distinct(nodes.flatMap(pathsIn));
  return {
    name,
    isOfStep,
    nodes,
    references,
    ...(template.kind === 'expression' && { whole: template.expression.node }),
    ...(template.kind === 'literal' && { constant: template }),
    evaluate: keptFor(references, (scope) => {
      const found = evaluateTemplate(template, scope);
      return found.known ? found.value : (found.partial ?? new Unknown(found.after));
    }),
  };
}

/** Lists each path once: a value that two others use is listed once in a third. */
function distinct(paths: readonly PathNode[]): readonly PathNode[] {
  return [...new Map(paths.map((path) => [pathText(path), path])).values()];
}

/** Evaluates again only if something that the references name has changed. */
function keptFor(
  references: readonly PathNode[],
  evaluate: (scope: Scope) => Value,
): (scope: Scope) => Value {
  const names = new Set<string>(['run', ...references.map(({ root }) => root)]); // helpers use the time
  const partsOf = (scope: Scope): readonly (Value | undefined)[] =>
    [...names].map((root) => (isRoot(root) ? scope[root] : undefined));
  let last: { readonly parts: readonly (Value | undefined)[]; readonly value: Value } | undefined;
  return (scope) => {
    const parts = partsOf(scope);
    const isSame = last !== undefined && parts.every((part, at) => part === last?.parts[at]);
    if (!isSame || last === undefined) last = { parts, value: evaluate(scope) };
    return last.value;
  };
}
