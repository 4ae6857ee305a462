/** Names the exchange knows a write by, where the author gives them: one for each write. */
import type { OperationName } from '../../contract/operations/index.ts';
import type { Playbook, Step } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { dependsOnItem, textOfTemplate } from '../template.ts';

/** The field that names what a write makes. */
const nameFields: Partial<Record<OperationName, string>> = {
  'futures/place-order': 'clientOid',
  'account/create-sub': 'username',
};

export function checkNames(playbook: Playbook, problems: Problems): void {
  const earlier = new Map<string, Step>();
  for (const step of [...playbook.steps, ...playbook.onFailure, ...playbook.finally]) {
    const field = step.action.kind === 'call' ? nameFields[step.action.operation] : undefined;
    const name = field === undefined ? undefined : step.with.get(field);
    if (field === undefined || name === undefined) continue;
    const isOfItem = dependsOnItem(name);
    if (step.forEach && !isOfItem) {
      problems.add('PB405', name.at, `every item would carry the same ${field}`, {
        hint:
          field === 'clientOid'
            ? 'leave it out: deskhand makes one for each item'
            : 'put {{ each.key }} or {{ each.value }} into it',
      });
      continue;
    }
    if (isOfItem) continue;
    const text = `${field} ${textOfTemplate(name)}`;
    const other = earlier.get(text);
    if (other === undefined) earlier.set(text, step);
    else if (!(other.condition && step.condition)) {
      problems.add('PB405', name.at, `${other.id} gives the same ${field}`);
    }
  }
}
