/** Differences between a plan and the last approved plan of its playbook, line by line. */
import type { Millis } from '../base/clock.ts';
import { count, plainText } from '../base/text.ts';
import { isEffect } from '../engine/plan/effect.ts';
import { givenDifferences, textDifferences } from '../engine/plan/moved.ts';
import type { Plan, PlannedAction } from '../engine/plan/plan.ts';
import { localWords, moment, plannedWords } from './words.ts';

/** The most recently approved plan. */
export interface Approved {
  readonly plan: Plan;
  readonly who: string;
  /** The time of the approval by the signer's clock. */
  readonly at: Millis;
}

export interface ChangedLine {
  readonly sign: '+' | '-' | '~';
  /** The line: `orders[40000.0]: BTCUSDT open long 0.010 @ 40,000.0, post_only, crossed`. */
  readonly text: string;
  /** The text of the line in the other plan, if it is in both. */
  readonly was?: string;
}

/** The changes as a sentence: `Since p-41c9d2aa, approved by ben@desk.example at …: 2 lines differ`. */
export function sinceWords({ plan, who, at }: Approved, changes: readonly ChangedLine[]): string {
  const how = changes.length === 0 ? 'nothing differs' : `${count(changes.length, 'line')} changed`;
  return `Since ${plan.id}, approved by ${plainText(who, 100)} at ${moment(at)} UTC: ${how}`;
}

/** The changes for programs, next to the plan: they are not part of the sealed plan. */
export interface SinceApproved {
  /** The id of the most recently approved plan. */
  readonly plan: string;
  readonly who: string;
  /** The time of the approval in Unix milliseconds, by the signer's clock. */
  readonly at: Millis;
  readonly changes: readonly ChangedLine[];
}

/** The changes since the approved plan; empty if there is none. */
export function sinceApproved(
  plan: Plan,
  last: Approved | undefined,
): { readonly approvedLast?: SinceApproved } {
  if (last === undefined) return {};
  const { plan: before, who, at } = last;
  return { approvedLast: { plan: before.id, who, at, changes: changesSince(last, plan) } };
}

/** The effects that were added, removed, or have another request since the approved plan. */
export function changesSince({ plan: last }: Approved, now: Plan): readonly ChangedLine[] {
  return changesBetween(last, now);
}

/** The differences between any two plans of a playbook, after those of their sources. */
export function changesBetween(last: Plan, now: Plan): readonly ChangedLine[] {
  return [
    ...textDifferences(last, now).map(({ what }): ChangedLine => {
      const of = what === last.playbook.file ? 'the playbook' : plainText(what, 200);
      return { sign: '~', text: `the text of ${of}` };
    }),
    ...givenDifferences(last, now).map(({ what, was, is }): ChangedLine => {
      const text = `${plainText(what)}: ${plainText(is, valueMax)}`;
      return { sign: '~', text, was: plainText(was, valueMax) };
    }),
    ...differentLines(plannedLines(last), plannedLines(now)),
  ];
}

/** The differences between effects by address: what changed or was added, then what is gone. */
export function differentLines(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly ChangedLine[] {
  const gone = [...before].filter(([address]) => !after.has(address));
  return [
    ...[...after].flatMap(([address, words]): ChangedLine[] => {
      const was = before.get(address);
      if (was === words) return [];
      const line = `${plainText(address)}: ${words}`;
      return [was === undefined ? { sign: '+', text: line } : { sign: '~', text: line, was }];
    }),
    ...gone.map(([address, words]): ChangedLine => {
      return { sign: '-', text: `${plainText(address)}: ${words}` };
    }),
  ];
}

const valueMax = 300; // characters of an input

/** Every effect by address, as text, including completed ones. @param which steps of some effects only */
export function plannedLines(
  { steps }: Plan,
  which: typeof isEffect = isEffect,
): ReadonlyMap<string, string> {
  return new Map(
    steps
      .filter(which)
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
    reused: ', reused',
    later: ', known only during the run',
  };
  const { kind } = action.change;
  const how = kind in suffixes ? suffixes[kind as keyof typeof suffixes] : '';
  return `${words === '' ? plainText(uses) : words}${where}${how}`;
}
