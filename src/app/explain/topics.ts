/** Finds the topic of an argument of `explain`, or lists all topics. */
import { UsageError } from '../../base/error.ts';
import { nearWord } from '../../base/text.ts';
import { errorTable, type ErrorRow } from '../../exchange/api/errors.ts';
import {
  isOperation,
  operationNames,
  type OperationName,
} from '../../exchange/api/operations/index.ts';
import { helperPages, type HelperPage } from '../../language/expression/helpers/index.ts';
import { builtIns, type BuiltIn } from '../../language/playbook.ts';
import { ruleOf, rules, type Rule } from '../../language/rules.ts';
import { operationNear } from '../../exchange/api/near-operation.ts';
import { errorNames, isErrorName, type ErrorName } from './errors.ts';
import { isSubject, subjects, type SubjectName } from './subjects.ts';

export type Topic =
  | { readonly kind: 'operation'; readonly name: OperationName }
  | { readonly kind: 'built-in'; readonly name: BuiltIn }
  | { readonly kind: 'subject'; readonly name: SubjectName }
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'helper'; readonly helper: HelperPage }
  | { readonly kind: 'answer'; readonly row: ErrorRow }
  | { readonly kind: 'error'; readonly name: ErrorName };

/** The topic of an argument. @throws UsageError with a suggestion */
export function topicOf(word: string): Topic {
  const found = topicIfAny(word);
  if (found !== undefined) return found;
  const near = nearWord(word, topicWords()) ?? operationNear(word);
  throw new UsageError(
    `unknown topic ${JSON.stringify(word)}`,
    near ? `did you mean ${near}?` : '`deskhand explain` lists all topics',
  );
}

/** The topic of an argument; undefined if there is none. */
export function topicIfAny(word: string): Topic | undefined {
  if (isOperation(word)) return { kind: 'operation', name: word };
  const builtIn = builtIns.find((name) => name === word);
  if (builtIn !== undefined) return { kind: 'built-in', name: builtIn };
  if (isSubject(word)) return { kind: 'subject', name: word };
  const rule = ruleOf(word.toUpperCase());
  if (rule !== undefined) return { kind: 'rule', rule };
  const helper = helperPages.find(({ name }) => name === word);
  if (helper !== undefined) return { kind: 'helper', helper };
  const row = errorTable.get(word.replace(/^exchange-/, ''));
  if (row !== undefined) return { kind: 'answer', row };
  return isErrorName(word) ? { kind: 'error', name: word } : undefined;
}

/** All topics that have a page. */
export function topicWords(): readonly string[] {
  return [
    ...operationNames,
    ...builtIns,
    ...Object.keys(subjects),
    ...rules.map(({ code }) => code),
    ...helperPages.map(({ name }) => name),
    ...errorTable.keys(),
    ...Object.keys(errorNames),
  ];
}
