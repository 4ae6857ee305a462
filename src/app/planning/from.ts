/** The steps and the items that `--from` names, and the steps that are not executed again. */
import { UsageError } from '../../base/error.ts';
import { listed, nearWord, shellWord } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { itemAt } from '../../engine/plan/addresses.ts';
import { hasEffect } from '../../engine/plan/effect.ts';
import type { Kept } from '../../engine/runtime/reusable.ts';
import { sentAgain } from '../../engine/runtime/written-by.ts';
import { stepsFrom } from '../../language/from.ts';
import type { Playbook, Step } from '../../language/playbook.ts';

export interface Chosen extends Kept {
  /** The named steps, and those of the named items. */
  readonly from: readonly string[];
}

/** @throws UsageError for a name that is none */
export function chosenFrom(playbook: Playbook, names: readonly string[]): Chosen {
  const executed = new Map<string, Set<string>>();
  for (const name of names) {
    const item = itemIn(playbook, name);
    if (item === undefined) refuseUnknown(name, playbook);
    else executed.set(item.step, (executed.get(item.step) ?? new Set()).add(item.key));
  }
  for (const name of names) executed.delete(name); // the whole step is named, too
  const from = [...new Set(names.map((name) => itemIn(playbook, name)?.step ?? name))];
  const again = stepsFrom(playbook, from, hasEffect);
  const steps = playbook.steps.map(({ id }) => id).filter((id) => !again.has(id));
  return { from, steps, executed };
}

/**
 * Refuses to take over nothing.
 * @param entries those of the run that did it before
 * @throws UsageError
 */
export function refuseNone(
  { from, steps, executed }: Chosen,
  { file }: Playbook,
  entries: readonly Entry[],
): void {
  if (steps.length > 0 || executed.size > 0) return;
  throw new UsageError(
    `all steps wait for ${from.map((name) => JSON.stringify(name)).join(' or ')}, so none can be reused`,
    `run the playbook: deskhand run ${shellWord(file)}${sentAgain(entries)}`,
  );
}

/** The item of a step of the playbook that has several. */
function itemIn({ steps }: Playbook, name: string): ReturnType<typeof itemAt> {
  const item = itemAt(name);
  const step = steps.find(({ id }) => id === item?.step);
  return step?.forEach === undefined ? undefined : item;
}

function refuseUnknown(from: string, { steps, onFailure, finally: last }: Playbook): void {
  const ids = steps.map(({ id }) => id);
  if (ids.includes(from)) return;
  const name = JSON.stringify(from);
  if ([...onFailure, ...last].some(({ id }) => id === from)) {
    throw new UsageError(
      `${name} is a step of on-failure or finally, and these are never reused`,
      `name a step before them: ${ids.join(', ')}`,
    );
  }
  const outer = ids.find((id) => from.startsWith(`${id}/`) || from.startsWith(`${id}[`));
  const parent = outer ?? steps.find((step) => isWithin(step, from))?.id;
  if (parent !== undefined) {
    const isLoop = steps.some(({ id, forEach }) => id === parent && forEach !== undefined);
    throw new UsageError(
      isLoop
        ? `${name} is within an item of step ${parent}, which is reused or executed as a whole`
        : `${name} is within step ${parent}, which is reused or executed as a whole`,
      `name that step${isLoop ? ', or its item' : ''}: --from ${shellWord(isLoop ? itemName(parent, from) : parent)}`,
    );
  }
  const near = nearWord(itemAt(from)?.step ?? from, ids);
  throw new UsageError(
    `unknown step ${name}`,
    near === undefined
      ? `name one of ${listed(ids, 'or')}; a step that was renamed must be named as it was named in that run`
      : `did you mean ${near}?`,
  );
}

/** The item of a step to which a name belongs, or the step. */
function itemName(step: string, name: string): string {
  const end = name.indexOf(']');
  return name.startsWith(`${step}[`) && end !== -1 ? name.slice(0, end + 1) : step;
}

/** Whether a playbook that a step uses has a step of this name. */
function isWithin({ action }: Step, id: string): boolean {
  if (action.kind !== 'playbook') return false;
  return action.playbook.steps.some((step) => step.id === id || isWithin(step, id));
}
