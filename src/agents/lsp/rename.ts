/** Renames a step, or a value of `let`, and all references to it. */
import { loadPlaybook } from '../../language/load.ts';
import { stepsOf } from '../../language/expressions.ts';
import type { Step } from '../../language/playbook.ts';
import type { Checked, Surroundings } from './checked.ts';
import { letAt } from './lets.ts';
import { givenIds, stepAt, usedIds, type TextRange } from './steps.ts';

/** The error for a name that cannot be changed; the editor shows its message. */
export class RenameError extends Error {
  override readonly name = 'RenameError';
}

/** The name at an offset, if it can be renamed. @throws RenameError */
export function renamable(
  checked: Checked,
  offset: number,
): { id: string; at: TextRange } | undefined {
  const { playbook } = checked;
  const value = letAt(checked, offset);
  const found = value ?? stepAt(checked, offset);
  if (found === undefined) return undefined;
  if (playbook === undefined) throw new RenameError('the playbook has errors: fix them first');
  if (value !== undefined) return value;
  const step = stepsOf(playbook).find(({ id }) => id === found.id);
  if (step !== undefined && isLasting(step)) {
    throw new RenameError(
      `the writes of ${found.id} are done once per playbook and known by this id: ` +
        'under another id they would be sent again',
    );
  }
  return found;
}

/** Whether the id of a step identifies its writes across runs; also for nested playbooks. */
function isLasting({ oncePer, action }: Step): boolean {
  if (action.kind === 'playbook') return stepsOf(action.playbook).some(isLasting);
  return oncePer === 'playbook';
}

/**
 * The ranges to change for a new id.
 * @throws RenameError when the id must stay, or the playbook would not be valid with the new one
 */
export function renamed(
  checked: Checked,
  offset: number,
  name: string,
  surroundings: Surroundings,
): readonly TextRange[] {
  const found = renamable(checked, offset);
  if (found === undefined) throw new RenameError('no name that can be changed is here');
  const ofStep = [...givenIds(checked), ...usedIds(checked)].filter(({ id }) => id === found.id);
  const all = letAt(checked, offset)?.places ?? ofStep.map(({ at }) => at);
  // Through an alias, several references are at one place.
  const places = [...new Map(all.map((at) => [at.start, at])).values()].sort(
    (a, b) => a.start - b.start,
  );
  const { problems } = loadPlaybook(edited(checked.text, places, name), checked.file, surroundings);
  const error = problems.find(({ level }) => level === 'error');
  if (error === undefined) return places;
  throw new RenameError(`with the name ${JSON.stringify(name)}: ${error.message}`);
}

function edited(text: string, places: readonly TextRange[], name: string): string {
  let result = '';
  let from = 0;
  for (const { start, end } of places) {
    result += text.slice(from, start) + name;
    from = end;
  }
  return result + text.slice(from);
}
