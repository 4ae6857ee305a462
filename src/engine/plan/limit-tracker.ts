/** Counts the writes of a run for every limit in force, each write once. */
import type { Millis } from '../../base/clock.ts';
import type { Address, GuardResult } from '../journal/entry.ts';
import type { GuardRules } from '../../language/limits.ts';
import type { Checking, GuardedWrite, LimitCheck } from './limit-check.ts';
import { checksOf } from './limit-checks.ts';
import { isValued } from './value-checks.ts';

/** The writes of a run that a set of limits applies to. */
export type LimitScope =
  /** The scope of all writes. */
  | { readonly kind: 'run' }
  /** The writes of the nested playbook of the step or item at this address. */
  | { readonly kind: 'playbook'; readonly within: Address }
  /** The writes to an account other than the run's. */
  | { readonly kind: 'account'; readonly profile: string };

/**
 * Checks writes against limits and counts them by address. A check alone counts nothing; a sender
 * checks and counts in one step, so that two concurrent writes cannot both use the last slot.
 */
export class LimitTracker {
  readonly #checking: Checking;
  /** The limits by name, starting with the run's own. */
  readonly #scopes = new Map<string, Scope>();
  readonly #counted = new Map<Address, GuardedWrite>();
  /** Counted writes that are not known to have a value: nothing asks in most runs. */
  readonly #unvalued = new Map<Address, GuardedWrite>();
  #at: Millis;

  constructor(rules: GuardRules, checking: Checking) {
    this.#checking = checking;
    this.#at = checking.at;
    this.open({ kind: 'run' }, rules);
  }

  /** Adds limits; earlier writes count for them, too. */
  open(scope: LimitScope, rules: GuardRules): void {
    const checks = checksOf(rules, this.#checking);
    const name = nameOf(scope);
    if (checks.size === 0 || this.#scopes.has(name)) return;
    const opened = { scope, checks, broken: new Map() };
    this.#scopes.set(name, opened);
    for (const write of this.#counted.values()) {
      if (scopesOf(write, this.#scopes).includes(opened)) countIn(opened, write);
    }
  }

  /** The violations that the write would add to the counted ones, as text; none if it may be sent. */
  breaks(write: GuardedWrite, at: Millis = this.#at): readonly string[] {
    this.#at = at;
    const found = scopesOf(write, this.#scopes).flatMap(({ checks, broken }) =>
      [...checks].flatMap(([name, check]) => {
        const message = check.breaks(write, at);
        if (message !== undefined && !broken.has(name)) broken.set(name, message);
        return message ?? [];
      }),
    );
    return [...new Set(found)];
  }

  /** Counts a write, and replaces one with the same address. */
  count(write: GuardedWrite): void {
    const { address } = write;
    this.#counted.set(address, write);
    this.#unvalued.set(address, write);
    for (const scope of scopesOf(write, this.#scopes)) countIn(scope, write);
  }

  /** Removes the count of a write that was certainly not executed. */
  forget(address: Address): void {
    this.#counted.delete(address);
    this.#unvalued.delete(address);
    for (const { checks } of this.#scopes.values()) {
      for (const check of checks.values()) check.forget(address);
    }
  }

  /** Whether any limit applies to this write. */
  isLimited(write: Pick<GuardedWrite, 'address' | 'account'>): boolean {
    return scopesOf(write, this.#scopes).length > 0;
  }

  /** The limits on the value of a write, and on the number of writes. */
  boundsOf(
    address: Address,
    profile: string | undefined,
  ): readonly { readonly name: string; readonly guard: string; readonly limit: string }[] {
    return scopesOf({ address }, this.#scopes)
      .filter(({ scope }) => scope.kind !== 'account' || scope.profile === profile)
      .flatMap(({ scope, checks }) =>
        [...checks]
          .filter(([name]) => bounding.has(name))
          .map(([name, { limit }]) => ({ name, guard: fullName(name, scope), limit })),
      );
  }

  /** Whether a limit on this write needs the market price. */
  needsMarket(write: GuardedWrite): boolean {
    return scopesOf(write, this.#scopes).some(({ checks }) =>
      [...checks.values()].some(({ needsMarket }) => needsMarket?.(write)),
    );
  }

  /** Whether a limit on this write needs the positions of its symbol. */
  needsPosition(write: GuardedWrite): boolean {
    return scopesOf(write, this.#scopes).some(({ checks }) =>
      [...checks.values()].some(({ needsPosition }) => needsPosition?.(write)),
    );
  }

  /** Counted orders whose value at the time of sending is unknown. */
  unvalued(): readonly GuardedWrite[] {
    for (const [address, write] of this.#unvalued) {
      if (isValued(write)) this.#unvalued.delete(address);
    }
    return [...this.#unvalued.values()];
  }

  /** The usage of every limit. */
  results(): readonly GuardResult[] {
    return [...this.#scopes.values()].flatMap(({ scope, checks, broken }) =>
      [...checks].map(([name, check]) => ({
        guard: fullName(name, scope),
        ...ownerOf(scope),
        limit: check.limit,
        used: check.used(this.#at),
        isKept: !broken.has(name),
        message: broken.get(name) ?? '',
      })),
    );
  }
}

const bounding: ReadonlySet<string> = new Set(['max-notional', 'max-order-notional', 'max-writes']);

interface Scope {
  /** The scope in which the limits apply. */
  readonly scope: LimitScope;
  readonly checks: ReadonlyMap<string, LimitCheck>;
  /** The first violation of each limit. */
  readonly broken: Map<string, string>;
}

function countIn({ checks }: Scope, write: GuardedWrite): void {
  for (const check of checks.values()) check.count(write);
}

function fullName(name: string, scope: LimitScope): string {
  return scope.kind === 'run' ? name : `${name} of ${whoseOf(scope)}`;
}

function ownerOf(scope: LimitScope): Pick<GuardResult, 'account' | 'within'> {
  switch (scope.kind) {
    case 'run':
      return {};
    case 'playbook':
      return { within: scope.within };
    case 'account':
      return { account: scope.profile };
  }
}

function nameOf(scope: LimitScope): string {
  return `${scope.kind} ${whoseOf(scope)}`;
}

function whoseOf(scope: LimitScope): string {
  switch (scope.kind) {
    case 'run':
      return '';
    case 'playbook':
      return scope.within;
    case 'account':
      return scope.profile;
  }
}

/** The scopes a write counts in: the run, its playbooks, its account. */
function scopesOf(
  { address, account }: Pick<GuardedWrite, 'address' | 'account'>,
  scopes: ReadonlyMap<string, Scope>,
): readonly Scope[] {
  if (scopes.size === 0) return [];
  const around: LimitScope[] = [...address.matchAll(/\//g)].map(({ index }) => ({
    kind: 'playbook',
    within: address.slice(0, index),
  }));
  const accounts =
    account === undefined
      ? [...scopes.keys()].filter((name) => name.startsWith('account '))
      : [nameOf({ kind: 'account', profile: account.profile })];
  const names = [nameOf({ kind: 'run' }), ...around.map(nameOf), ...accounts];
  return names.flatMap((name) => scopes.get(name) ?? []);
}
