/** A nested playbook: the step's fields against its inputs. */
import { anything, type Type } from '../expression/type.ts';
import { fieldHint, isRequiredField } from '../input-members.ts';
import { issueOf } from '../inputs.ts';
import type { DeclaredType, Playbook, Template } from '../playbook.ts';
import { type Problems } from '../problems.ts';
import { expressionsIn } from '../template.ts';
import { refusalOf } from './accepts.ts';
import { reportMissing } from './missing.ts';
import type { StepRanges } from './step-ranges.ts';

/** Checks names, and required inputs. `given` names every field that is present. */
export function checkNested(
  playbook: Playbook,
  given: readonly string[],
  ranges: StepRanges,
  problems: Problems,
): void {
  for (const field of given) {
    if (playbook.inputs.has(field)) continue;
    problems.add(
      'PB202',
      ranges.key(field) ?? ranges.uses,
      `${playbook.name} has no input ${JSON.stringify(field)}`,
      problems.suggest(field, playbook.inputs.keys()),
    );
  }
  const missing = [...playbook.inputs.values()].filter(
    ({ name, isRequired }) => isRequired && !given.includes(name),
  );
  reportMissing(
    missing.map(({ name }) => ({ field: name, at: ranges.uses })),
    given.filter((field) => !playbook.inputs.has(field)),
    problems,
  );
}

/** Whether a value, or else its type, is valid for the input. */
export function checkNestedField(
  playbook: Playbook,
  template: Template,
  { name, type }: { readonly name: string; readonly type: Type },
  problems: Problems,
): void {
  const declared = playbook.inputs.get(name);
  if (declared) checkGiven(declared, template, { name, type }, problems);
}

/** Checks each field of a record at its own location. */
function checkGiven(
  declared: DeclaredType,
  template: Template,
  { name, type }: { readonly name: string; readonly type: Type },
  problems: Problems,
): void {
  const { fields } = declared;
  if (fields && template.kind === 'map') {
    for (const [field, { at }] of template.entries) {
      if (fields.has(field)) continue;
      const message = `${name} has no field ${JSON.stringify(field)}`;
      problems.add('PB202', at, message, { hint: fieldHint(field, fields) });
    }
    for (const [field, inner] of fields) {
      const given = template.entries.get(field);
      const found = type.kind === 'record' ? type.fields.get(field)?.type : undefined;
      const named = { name: `${name}.${field}`, type: found ?? anything };
      if (given) checkGiven(inner, given, named, problems);
      else if (isRequiredField(inner)) {
        problems.add('PB203', template.at, `${named.name} is missing`);
      }
    }
    return;
  }
  if (template.kind !== 'prose' && expressionsIn(template).length === 0) {
    checkConstant(declared, template, name, problems);
    return;
  }
  const refusal = refusalOf(declared, type);
  if (refusal === undefined) return;
  const { message, hint } = refusal;
  problems.add('PB305', template.at, `${name} ${message}`, hint === undefined ? {} : { hint });
}

function checkConstant(
  declared: DeclaredType,
  template: Template,
  name: string,
  problems: Problems,
): void {
  const issue = issueOf(declared, template);
  if (issue === undefined) return;
  const { path, message, hint } = issue;
  problems.add('PB204', template.at, `${[name, ...path].join('.')}: ${message}`, {
    ...(hint !== undefined && { hint }),
  });
}
