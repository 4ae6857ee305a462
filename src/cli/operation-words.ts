/** Operations as people type them: without their group, or nearly right. */
import { nearWord } from '../base/text.ts';
import { operationNames, type OperationName } from '../contract/operations/index.ts';

/** The operation a word probably means; undefined when none is near. */
export function operationNear(word: string): OperationName | undefined {
  const short = (name: string): string => name.slice(name.indexOf('/') + 1);
  const near = nearWord(word, operationNames) ?? nearWord(word, operationNames.map(short));
  return operationNames.find((name) => name === near || short(name) === near);
}
