/** Differences between a plan and the last approved plan of its playbook, line by line. */
import type { Millis } from '../base/clock.ts';
import { isJsonRecord } from '../base/json.ts';
import { count, plainText } from '../base/text.ts';
import { isEffect } from '../plan/effect.ts';
import type { Plan, PlannedAction } from '../plan/plan.ts';
import { localWords, moment, plannedWords } from './words.ts';

/** The most recently approved plan. */
export interface Approved {
  readonly plan: Plan;
  readonly who: string;
  /** By the signer's clock. */
  readonly at: Millis;
}

export interface ChangedLine {
  readonly sign: '+' | '-' | '~';
  /** `orders[40000.0]: BTCUSDT open long 0.010 @ 40,000.0, post_only, crossed`. */
  readonly text: string;
  /** The other plan's text of a line that is in both. */
  readonly was?: string;
}

/** `Since p-41c9d2aa, approved by ben@desk.example at …: 2 lines differ`. */
export function sinceWords({ plan, who, at }: Approved, changes: readonly ChangedLine[]): string {
  const how = changes.length === 0 ? 'nothing differs' : `${count(changes.length, 'line')} changed`;
  return `Since ${plan.id}, approved by ${plainText(who, 100)} at ${moment(at)} UTC: ${how}`;
}

/** The same for programs, beside the plan: it is not part of the sealed plan. */
export interface SinceApproved {
  /** The id of the most recently approved plan. */
  readonly plan: string;
  readonly who: string;
  /** Unix milliseconds, by the signer's clock. */
  readonly at: Millis;
  readonly changes: readonly ChangedLine[];
}

/** Undefined without an approved plan. */
export function sinceApproved(
  plan: Plan,
  last: Approved | undefined,
): { readonly approvedLast?: SinceApproved } {
  if (last === undefined) return {};
  const { plan: before, who, at } = last;
  return { approvedLast: { plan: before.id, who, at, changes: changesSince(last, plan) } };
}

/** Effects that were added, removed, or have another request. */
export function changesSince({ plan: last }: Approved, now: Plan): readonly ChangedLine[] {
  return changesBetween(last, now);
}

/** The same between any two plans of a playbook, after what they were made from. */
export function changesBetween(last: Plan, now: Plan): readonly ChangedLine[] {
  const texts = differing(textsOf(last), textsOf(now));
  return [
    ...texts.map(({ sign, name }) => ({ sign, text: name })),
    ...linesFor(differing(basisOf(last), basisOf(now)), valueMax),
    ...linesFor(differing(linesOf(last), linesOf(now))),
  ];
}

const valueMax = 300; // characters of an input

type ByName = ReadonlyMap<string, string>;

interface Differing {
  readonly sign: ChangedLine['sign'];
  readonly name: string;
  readonly was?: string | undefined;
  readonly is?: string | undefined;
}

/** Added and changed ones, then those that are gone. */
function differing(before: ByName, after: ByName): readonly Differing[] {
  const gone = [...before].filter(([name]) => !after.has(name));
  return [
    ...[...after].flatMap(([name, is]): Differing[] => {
      const was = before.get(name);
      if (was === is) return [];
      return [was === undefined ? { sign: '+', name, is } : { sign: '~', name, was, is }];
    }),
    ...gone.map(([name, was]): Differing => ({ sign: '-', name, was })),
  ];
}

/** @param limit of characters of a value */
function linesFor(all: readonly Differing[], limit = Infinity): readonly ChangedLine[] {
  return all.map(({ sign, name, was, is }) => {
    const text = `${plainText(name)}: ${plainText(is ?? was ?? '', limit)}`;
    if (sign !== '~' || was === undefined) return { sign, text };
    return { sign, text, was: plainText(was, limit) };
  });
}

/** Digests of the playbook and of those that it uses, by what a person calls their texts. */
function textsOf({ playbook: { digest, includes = [] } }: Plan): ByName {
  return new Map([
    ['the text of the playbook', digest],
    ...includes.map((each): [string, string] => [
      `the text of ${plainText(each.file, 200)}`,
      each.digest,
    ]),
  ]);
}

/** The inputs and limits: what only the run decides may follow from them. */
function basisOf({ inputs, guards }: Plan): ByName {
  return new Map([
    ...Object.entries(isJsonRecord(inputs) ? inputs : {}).map(([name, value]): [string, string] => [
      `input ${name}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
    ...guards.map(({ guard, limit }): [string, string] => [`guard ${guard}`, limit]),
  ]);
}

/** Every effect by address, as text, including completed ones. */
function linesOf({ steps }: Plan): ByName {
  return new Map(
    steps
      .filter(isEffect)
      .flatMap(({ uses, actions }) =>
        actions.map((action) => [action.address, lineOf(action, uses)]),
      ),
  );
}

function lineOf(action: PlannedAction, uses: string): string {
  const words = action.operation === undefined ? localWords(action) : plannedWords(action);
  const where = action.account === undefined ? '' : ` on ${plainText(action.account)}`;
  const suffixes = {
    none: ', done already',
    skip: ', skipped',
    later: ', known only during the run',
  };
  const { kind } = action.change;
  const how = kind === 'none' || kind === 'skip' || kind === 'later' ? suffixes[kind] : '';
  return `${words === '' ? plainText(uses) : words}${where}${how}`;
}
