/**
 * Open faults by kind: what the relations find of them is left out until they are mended. Each has an example that must
 * still show it, so that a mended one has to leave this list.
 */
import { featureNames, features, type Choice } from './features.ts';
import type { Finding, Relation } from './finding.ts';

export interface Kind {
  readonly name: string;
  readonly relation: Relation;
  /** What a person would say is wrong. */
  readonly fault: string;
  /** What a finding of it says. */
  readonly says: RegExp;
  /** Where it shows, apart from the plainest job. */
  readonly example: Partial<Choice>;
}

export const openKinds: readonly Kind[] = [
  {
    name: 'failure in words of a program',
    relation: 'language',
    fault:
      'a plan refuses `failure.step` among the words of a program of on-failure, which validate accepts',
    says: /sorry: failure\.step has no value/,
    example: { onFailure: 'program' },
  },
  {
    name: 'no programs in a test',
    relation: 'language',
    fault: 'test and rehearse refuse every program, whatever the profile allows',
    says: /^(?:test|rehearse) .* does not allow shell\/run to start/,
    example: { program: 'before' },
  },
  {
    name: 'no accounts in a rehearsal',
    relation: 'language',
    fault: 'rehearse has one-way accounts for other profiles, and calls the first one hedge',
    says: /^rehearse .*(?:the account is in one-way mode|hedge is not an allowed account)/,
    example: { account: 'step' },
  },
  {
    name: 'orders of on-failure',
    relation: 'plan',
    fault: 'a plan does not show the orders of on-failure',
    says: /^sent 1 main ETHUSDT, and the plan shows/,
    example: { failure: 'read', onFailure: 'order' },
  },
];

/** The job that says the least. */
export const plainest = Object.fromEntries(
  featureNames.map((name) => [name, features[name][0]]),
) as Choice;

export function kindOf({ relation, what }: Finding): Kind | undefined {
  return openKinds.find((kind) => kind.relation === relation && kind.says.test(what));
}

/** What no open fault explains. */
export function unexplained(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter((finding) => kindOf(finding) === undefined);
}
