/** The accounts that steps of a playbook name, in addition to the playbook's own. */
import { constantIn } from './check/constant.ts';
import { stepsOf } from './expressions.ts';
import type { Playbook, Template } from './playbook.ts';

export interface NamedAccounts {
  /** The named profiles, also those of nested playbooks. */
  readonly names: readonly string[];
  /** Whether the names are complete; false if others are computed: only a plan knows them. */
  readonly isEvery: boolean;
}

export function namedAccounts(playbook: Playbook): NamedAccounts {
  const names = new Set<string>();
  let isEvery = true;
  for (const { account, action } of stepsOf(playbook)) {
    const own = account && constantAccount(account);
    const nested = action.kind === 'playbook' ? namedAccounts(action.playbook) : undefined;
    for (const name of [own ?? [], nested?.names ?? []].flat()) names.add(name);
    if ((account && own === undefined) || nested?.isEvery === false) isEvery = false;
  }
  return { names: [...names], isEvery };
}

/** @returns undefined if the account is computed, or not a text */
export function constantAccount(account: Template): string | undefined {
  const value = account.kind === 'literal' ? account.value : constantIn(account);
  return typeof value === 'string' ? value : undefined;
}
