/** The accounts that steps of a playbook name, in addition to the playbook's own. */
import { constantIn } from './check/constant.ts';
import { knownItems } from './check/items.ts';
import { stepsOf } from './expressions.ts';
import type { Playbook, Step } from './playbook.ts';

export interface NamedAccounts {
  /** The named profiles, also those of nested playbooks. */
  readonly names: readonly string[];
  /** Whether the names are complete; false if others are computed: only a plan knows them. */
  readonly isEvery: boolean;
}

export function namedAccounts(playbook: Playbook): NamedAccounts {
  const names = new Set<string>();
  let isEvery = true;
  for (const step of stepsOf(playbook)) {
    const { action } = step;
    const own = accountsOf(step);
    const nested = action.kind === 'playbook' ? namedAccounts(action.playbook) : undefined;
    for (const name of [own ?? [], nested?.names ?? []].flat()) names.add(name);
    if (own === undefined || nested?.isEvery === false) isEvery = false;
  }
  return { names: [...names], isEvery };
}

/**
 * The accounts that a step names, each once: of all its items, and none for a step on the playbook's own.
 * @returns undefined if one is computed, or not a text
 */
export function accountsOf(step: Step): readonly string[] | undefined {
  const { account } = step;
  if (account === undefined) return [];
  const names = knownItems(step)?.map((item) => constantIn(account, item));
  if (names?.every((name) => typeof name === 'string') !== true) return undefined;
  return [...new Set(names)];
}
