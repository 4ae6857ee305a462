/** Checks the values of `let`: their names, and their types in order. */
import type { Field } from '../expression/type.ts';
import type { Named, Playbook, Step } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { typeOfTemplate, type TypeScope } from './infer.ts';
import { plus } from './tables.ts';

/** The scope with the values of `let`; each may use those above it, and those of the playbook. */
export function withLet(
  { let: named }: Pick<Playbook | Step, 'let'>,
  scope: TypeScope,
  problems: Problems,
): TypeScope {
  if (named.size === 0) return scope;
  const outer = scope.roots.get('let');
  const fields = new Map<string, Field>(outer?.kind === 'record' ? outer.fields : []); // grows
  const inside = plus(scope, { let: { kind: 'record', fields } });
  const later = new Set(named.keys());
  const within = { ...inside, laterNames: laterOf(later) };
  for (const [name, { template, at }] of named) {
    checkName(name, fields, at, problems);
    fields.set(name, { type: typeOfTemplate(template, within, problems) });
    later.delete(name);
  }
  return inside;
}

/** The scope of `for-each`, which the step's own values come after. */
export function beforeLet({ let: named }: Step, scope: TypeScope): TypeScope {
  if (named.size === 0) return scope;
  const outer = scope.roots.get('let') ?? { kind: 'record', fields: new Map() };
  return { ...plus(scope, { let: outer }), laterNames: laterOf(new Set(named.keys())) };
}

function laterOf(names: ReadonlySet<string>): NonNullable<TypeScope['laterNames']> {
  const hint = 'a value of let is available below it; that of a step not in its for-each';
  return { root: 'let', names, hint };
}

function checkName(
  name: string,
  outer: ReadonlyMap<string, Field>,
  at: Named['at'],
  problems: Problems,
): void {
  if (outer.has(name)) {
    problems.add('PB315', at, `let.${name} is a value of the playbook already`, {
      hint: 'give the value of the step another name',
    });
  }
  if (/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) return;
  const message =
    'the name of a value must be letters, digits, dashes and underscores, starting with a letter';
  problems.add('PB315', at, message);
}
