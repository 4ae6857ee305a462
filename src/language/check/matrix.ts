/** Checks the lists of a matrix and what it excludes, and types its items. */
import { isDecimalText } from '../../base/decimal.ts';
import { nearWord } from '../../base/text.ts';
import { anything, isScalar, typeName, type Field, type Type } from '../expression/type.ts';
import type { Template } from '../playbook.ts';
import { didYouMean, type Problems } from '../problems.ts';
import { entriesIn, itemsIn } from '../tables.ts';

const nameForm = /^[a-z][a-z0-9_-]*$/i;

/**
 * The items of a matrix by key: a map of records with a value of each list.
 * @param written the type of `for-each` as written
 */
export function matrixType(forEach: Template, written: Type, problems: Problems): Type {
  const { matrix, exclude } = Object.fromEntries(entriesIn(forEach));
  const lists = fieldsOf(fieldsOf(written).get('matrix')?.type);
  const fields = new Map<string, Field>();
  for (const [name, { at }] of matrix ? entriesIn(matrix) : []) {
    if (!nameForm.test(name)) {
      const hint = 'use letters, digits and dashes';
      problems.add('PB105', at, `${JSON.stringify(name)} cannot name a list of a matrix`, { hint });
    }
    fields.set(name, { type: valueType(name, lists.get(name)?.type ?? anything, at, problems) });
  }
  if (matrix && fields.size === 0) {
    problems.add('PB103', matrix.at, 'matrix must be a map of lists');
  }
  if (exclude) checkExclude(exclude, fieldsOf(written).get('exclude')?.type, fields, problems);
  return { kind: 'map', values: { kind: 'record', fields } };
}

function fieldsOf(type: Type | undefined): ReadonlyMap<string, Field> {
  return type?.kind === 'record' ? type.fields : new Map<string, Field>();
}

/** The type of the values of one list. */
function valueType(name: string, list: Type, at: Template['at'], problems: Problems): Type {
  if (list.kind !== 'list') {
    if (list.kind !== 'any') {
      problems.add('PB305', at, `matrix.${name} expects a list, found ${typeName(list)}`);
    }
    return anything;
  }
  if (isScalar(list.items)) return list.items;
  problems.add('PB305', at, `matrix.${name} expects single values, found ${typeName(list)}`, {
    hint: 'list texts or numbers, which identify the items',
  });
  return anything;
}

function checkExclude(
  exclude: Template,
  type: Type | undefined,
  lists: ReadonlyMap<string, Field>,
  problems: Problems,
): void {
  if (type && type.kind !== 'list' && type.kind !== 'any') {
    problems.add('PB305', exclude.at, `exclude expects a list, found ${typeName(type)}`);
    return;
  }
  const fields = type?.kind === 'list' ? fieldsOf(type.items) : new Map<string, Field>();
  for (const entry of itemsIn(exclude)) {
    const named = entriesIn(entry);
    if (named.size === 0 && entry.kind !== 'expression') {
      const hint = `as in { ${[...lists.keys()][0] ?? 'name'}: VALUE }`;
      problems.add('PB103', entry.at, 'an entry of exclude names values of lists', { hint });
    }
    for (const [name, { at, ...value }] of named) {
      const list = lists.get(name);
      if (list === undefined) {
        const near = problems.suggest(name, lists.keys());
        problems.add('PB304', at, `the matrix has no list ${JSON.stringify(name)}`, near);
      } else if (value.kind === 'literal') {
        checkValue(name, value.source, list.type, at, problems);
      } else if (!isScalar(fields.get(name)?.type ?? anything)) {
        problems.add('PB305', at, `exclude expects a single value of ${name}`);
      }
    }
  }
}

/** A value that its list never has is probably misspelled. */
function checkValue(
  name: string,
  value: string,
  type: Type,
  at: Template['at'],
  problems: Problems,
): void {
  if (type.kind !== 'text' || type.values === undefined) return;
  if (isDecimalText(value) || type.values.includes(value)) return;
  problems.add('PB312', at, `${JSON.stringify(value)} is never a value of ${name}`, {
    level: 'warning',
    ...didYouMean(nearWord(value, type.values)),
  });
}
