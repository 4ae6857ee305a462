/** Problems of a playbook as reasons of an error. */
import type { ErrorReason } from '../../base/error.ts';
import type { Problem } from '../../language/problem.ts';

export function reasonsIn(problems: readonly Problem[]): readonly ErrorReason[] {
  return problems.map(({ code, level, message, hint, at }) => ({
    code,
    level,
    message,
    ...(hint !== undefined && { hint }),
    file: at.file,
    line: at.start.line,
    column: at.start.column,
  }));
}
