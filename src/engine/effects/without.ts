/** The items whose rows are missing in those of a step, itself or through tables. */
import type { Without } from '../export/document-parts.ts';
import { isPlainMap } from '../../language/expression/helpers/define.ts';
import { isList, type Scope, type Value } from '../../language/expression/value.ts';
import { failedField, partialSources } from '../../language/partial.ts';
import type { Playbook } from '../../language/playbook.ts';

/** The steps that continued without some of their items, with the keys of these. */
export function withoutIn(id: string, scope: Scope, playbook: Playbook): readonly Without[] {
  return partialSources([id], playbook).flatMap((step) => {
    const failed = fieldOf(fieldOf(scope.steps, step), failedField);
    const keys = failed !== undefined && isList(failed) ? failed.flatMap(keyIn) : [];
    return keys.length === 0 ? [] : [{ step, keys }];
  });
}

function keyIn(item: Value): readonly string[] {
  const key = fieldOf(item, 'key');
  return typeof key === 'string' ? [key] : [];
}

function fieldOf(value: Value | undefined, name: string): Value | undefined {
  return isPlainMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
