/** The fields of shell/run: a list of words and an environment, never a command line for a shell. */
import { isScalar, typeName, type Type } from '../expression/type.ts';
import type { SourceRange } from '../source-range.ts';
import type { Problems } from '../problems.ts';

export function checkProgramField(
  field: string,
  at: SourceRange,
  type: Type,
  problems: Problems,
): void {
  if (field === 'command' && !isListOfScalars(type)) {
    problems.add('PB305', at, `command expects a list of words, found ${typeName(type)}`, {
      hint: 'write [jq, -r, .name, file.json]; no shell is used',
    });
  }
  if (field === 'env' && !['map', 'record', 'any'].includes(type.kind)) {
    problems.add('PB305', at, `env expects a map of names and texts, found ${typeName(type)}`);
  }
}

function isListOfScalars(type: Type): boolean {
  if (type.kind === 'any') return true;
  return type.kind === 'list' && (type.items.kind === 'any' || isScalar(type.items));
}
