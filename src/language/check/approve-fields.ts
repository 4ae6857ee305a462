/** The fields of `approve`: who may answer, how many, and for how long. */
import { day } from '../../base/clock.ts';
import { approvalsBefore, isApproval } from '../approvals.ts';
import { scalarText } from '../expression/scalar-text.ts';
import { spanOf } from '../expression/helpers/define.ts';
import { isScalar, typeName, type Type } from '../expression/type.ts';
import { EvaluationError, isList, type Value } from '../expression/value.ts';
import type { Playbook, Step, Template } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import type { Section } from './keys.ts';

const longest = 7 * day; // as long as a plan can be valid
const countMax = 20; // people

/** Checks the type of a field that may be known only during the run. */
export function checkApprovalField(
  field: string,
  at: Template['at'],
  type: Type,
  problems: Problems,
): void {
  const wanted = wantedOf(field, type);
  if (wanted !== undefined) {
    problems.add('PB305', at, `${field} expects ${wanted}, found ${typeName(type)}`);
  }
}

function wantedOf(field: string, type: Type): string | undefined {
  if (type.kind === 'any') return undefined;
  switch (field) {
    case 'text':
      return isScalar(type) ? undefined : 'a text';
    case 'for':
      return type.kind === 'text' || type.kind === 'duration' ? undefined : 'a duration';
    case 'count':
      return type.kind === 'integer' ? undefined : 'a whole number';
    case 'by': {
      const isNames =
        type.kind === 'list' && (type.items.kind === 'text' || type.items.kind === 'any');
      return type.kind === 'text' || isNames ? undefined : 'other, anyone, or a list of people';
    }
    default:
      return undefined;
  }
}

/** The problem of a field's value that is known before the run. */
export const approvalChecks: Readonly<Record<string, (value: Value) => string | undefined>> = {
  'approve for': (value) => {
    const ms = spanOf(value);
    return ms > 0 && ms <= longest ? undefined : 'for must be more than 0, and at most 7d';
  },
  'approve text': (value) => (value === '' ? 'text is empty: say what people approve' : undefined),
  'approve count': (value) => {
    const least = Number(scalarText(value));
    return Number.isInteger(least) && least >= 1 && least <= countMax
      ? undefined
      : `count must be a whole number from 1 to ${countMax}`;
  },
  'approve by': (value) => {
    if (value === 'other' || value === 'anyone') return undefined;
    const isNames = isList(value) && value.length > 0 && value.every((name) => isName(name));
    return isNames ? undefined : 'by must be other, anyone, or a list of people';
  },
};

function isName(value: Value): boolean {
  return typeof value === 'string' && value !== '';
}

/** Reports `approve` steps where nothing could wait for their decision. */
export function checkApproval(step: Step, section: Section, problems: Problems): void {
  if (!isApproval(step)) return;
  if (section !== 'steps') {
    problems.add('PB426', step.usesAt, `${section} cannot wait for an approval`, {
      hint: 'move the step to steps; if it is not approved, on-failure runs',
    });
  }
  if (step.forEach !== undefined) {
    problems.add('PB426', step.forEach.at, 'approve asks once for everything that follows it', {
      hint: 'remove for-each, and list the items in its text if needed',
    });
  }
}

/** Warns of an approval that nothing waits for. */
export function warnOfIdleApprovals(playbook: Playbook, problems: Problems): void {
  const approvals = approvalsBefore(playbook);
  for (const { id, usesAt } of playbook.steps.filter(isApproval)) {
    if ([...approvals.values()].some((before) => before.has(id))) continue;
    problems.add('PB502', usesAt, `nothing waits for the approval ${id}`, {
      level: 'warning',
      hint: `move it before the steps it is about, or add needs: [${id}] to them`,
    });
  }
}

/** The value of a field as a duration within the limit. @throws EvaluationError */
export function approvalSpan(value: Value): number {
  const ms = spanOf(value);
  const problem = approvalChecks['approve for']?.(value);
  if (problem !== undefined) throw new EvaluationError(problem);
  return ms;
}
