/** Permanently identified items of writes: by a key, never by their position in a list. */
import { operationOf } from '../../exchange/api/operations/index.ts';
import { isScalar, type Type } from '../expression/type.ts';
import { isLasting } from '../lasting.ts';
import type { Step, Template } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { expressionsIn } from '../template.ts';

/** @param collection the value of the step's for-each; absent without one */
export function checkPlaces(step: Step, collection: Type | undefined, problems: Problems): void {
  const { forEach, key, id } = step;
  if (forEach === undefined || !isLasting(step)) return;
  const isByPlace = hasPlaces(collection);
  const why = 'with once-per: playbook an inserted item would write those after it again';
  if (key === undefined && isByPlace) {
    problems.add(
      'PB420',
      forEach.at,
      `${id}: its items are identified only by their position; ${why}`,
      {
        hint: 'add a key that identifies each item: key: "{{ each.value.… }}"',
      },
    );
  }
  const names = [
    { name: 'key', template: key, isKeyPlace: isByPlace },
    {
      name: keyOf(step) ?? '',
      template: step.with.get(keyOf(step) ?? ''),
      isKeyPlace: isByPlace && key === undefined,
    },
  ];
  for (const { name, template, isKeyPlace } of names) {
    if (template === undefined || !namesPlace(template, isKeyPlace)) continue;
    problems.add('PB420', template.at, `${id}: its ${name} depends on the position; ${why}`, {
      hint: 'derive it from each.value, or from the key of a map',
    });
  }
}

/** The field that names the object of a write. */
function keyOf({ action }: Step): string | undefined {
  return action.kind === 'call' ? operationOf(action.operation).key : undefined;
}

/** Whether the members of a collection only have positions: lists of maps or of lists. */
function hasPlaces(collection: Type | undefined): boolean {
  if (collection?.kind !== 'list') return false;
  return collection.items.kind !== 'any' && !isScalar(collection.items);
}

/** @param isKeyPlace whether `each.key` is the position, too */
function namesPlace(template: Template, isKeyPlace: boolean): boolean {
  return expressionsIn(template).some(({ references }) =>
    references.some(
      ({ root, path: [first] }) =>
        root === 'each' && (first === 'index' || (first === 'key' && isKeyPlace)),
    ),
  );
}
