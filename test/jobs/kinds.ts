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
  /** Jobs in which it may show. */
  readonly where?: (choice: Choice) => boolean;
  /** Where it shows, apart from the plainest job. */
  readonly example: Partial<Choice>;
}

export const openKinds: readonly Kind[] = [
  {
    name: 'inputs in a next command',
    relation: 'next',
    fault: 'the command to plan or run again lacks the inputs that were given',
    says: /names "(?:plan|run) job\.yaml.* cannot be used; nothing was sent/,
    example: { given: 'var', item: 'list', guards: 'tight' },
  },
];

/** The job that says the least. */
export const plainest = Object.fromEntries(
  featureNames.map((name) => [name, features[name][0]]),
) as Choice;

export function kindOf({ relation, what, choice }: Finding): Kind | undefined {
  return openKinds.find(
    ({ where = () => true, ...kind }) =>
      kind.relation === relation && kind.says.test(what) && where(choice),
  );
}

/** What no open fault explains. */
export function unexplained(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter((finding) => kindOf(finding) === undefined);
}
