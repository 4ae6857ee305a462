/** Operations as people type them: without their group, or misspelled. */
import { nearWord } from '../../base/text.ts';
import { operationNames, type OperationName } from './operations/index.ts';

/** The most similar operation; undefined when none is similar. */
export function operationNear(word: string): OperationName | undefined {
  const short = (name: string): string => name.slice(name.indexOf('/') + 1);
  const near = nearWord(word, operationNames) ?? nearWord(word, operationNames.map(short));
  return operationNames.find((name) => name === near || short(name) === near);
}
