/** Fault rules: which requests fail, when, how and how often. */
import type { Millis } from '../../base/clock.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';

export interface FaultMatch {
  readonly operation?: OperationName;
  readonly uid?: string;
  /** Matches only the n-th otherwise matching request, from 1. */
  readonly nth?: number;
  /** The probability of a match, 0 to 1, derived from the world's seed. */
  readonly probability?: number;
}

export type FaultAction =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly code: string;
      /** The `Retry-After` header of the response, in seconds. */
      readonly retryAfter?: number;
    }
  | { readonly kind: 'delay'; readonly ms: Millis }
  | { readonly kind: 'reset' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'never'; readonly ms?: Millis }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'wrong-content-type' }
  | { readonly kind: 'html-502' }
  | { readonly kind: 'slow-drip'; readonly everyMs: Millis }
  /**
   * The client gets no response, and the write is executed this much later by the exchange's clock.
   */
  | { readonly kind: 'late-commit'; readonly ms: Millis }
  /** Orders that were created or changed this recently are not listed yet. */
  | { readonly kind: 'stale-reads'; readonly ms: Millis };

/** All kinds of actions of fault rules. */
export const faultKinds = [
  'status',
  'delay',
  'reset',
  'empty',
  'never',
  'truncated',
  'wrong-content-type',
  'html-502',
  'slow-drip',
  'late-commit',
  'stale-reads',
] as const satisfies readonly FaultAction['kind'][];

export interface FaultRule {
  readonly match: FaultMatch;
  /**
   * When the fault happens. `before`: the request is lost; `after-commit`: the request is executed
   * first.
   */
  readonly when: 'before' | 'after-commit';
  /** How often the rule applies (default: always). */
  readonly times?: number;
  readonly action: FaultAction;
}

/** A rule with its counters, which are part of the world, so that all processes share them. */
export interface ArmedRule {
  readonly rule: FaultRule;
  /** The number of requests that match except for nth, probability and times. */
  readonly seen: number;
  readonly struck: number;
}

/** The properties of a request that rules match. */
export interface FaultSubject {
  readonly operation: OperationName;
  readonly uid: string;
}

export interface Strike {
  /** The rules with updated counters. */
  readonly rules: readonly ArmedRule[];
  /** The first rule that applies. */
  readonly rule?: FaultRule;
}

/**
 * Counts a request for every rule and returns the first that applies.
 * @param chance a number in [0, 1) for a rule's position and its count of requests
 */
export function strike(
  rules: readonly ArmedRule[],
  subject: FaultSubject,
  chance: (place: number, seen: number) => number,
): Strike {
  let hit: FaultRule | undefined;
  const counted = rules.map((armed, place) => {
    if (!concerns(armed.rule.match, subject)) return armed;
    const seen = armed.seen + 1;
    if (hit !== undefined || !strikes({ ...armed, seen }, chance(place, seen))) {
      return { ...armed, seen };
    }
    hit = armed.rule;
    return { ...armed, seen, struck: armed.struck + 1 };
  });
  return { rules: counted, ...(hit && { rule: hit }) };
}

/** Whether any rule may apply to this request; otherwise nothing is counted. */
export function concernsAny(rules: readonly ArmedRule[], subject: FaultSubject): boolean {
  return rules.some(({ rule }) => concerns(rule.match, subject));
}

function concerns({ operation, uid }: FaultMatch, subject: FaultSubject): boolean {
  return (
    (operation === undefined || operation === subject.operation) &&
    (uid === undefined || uid === subject.uid)
  );
}

function strikes({ rule, seen, struck }: ArmedRule, chance: number): boolean {
  const { nth, probability } = rule.match;
  if (rule.times !== undefined && struck >= rule.times) return false;
  if (nth !== undefined && seen !== nth) return false;
  return probability === undefined || chance < probability;
}
