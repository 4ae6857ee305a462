/** The provenance of a run: digests, programs, accounts, approvals, assumptions, limits. */
import { plainText } from '../../base/text.ts';
import type { Approval } from '../../engine/journal/entry.ts';
import type { Assumption } from '../assumptions.ts';
import type { Story } from '../story.ts';
import type { Summary } from '../summary.ts';
import { moment } from '../words.ts';
import type { Fact, Inline } from './block.ts';
import { guardFacts } from './guards.ts';

export interface Printing {
  /** The program that creates the page: `deskhand 0.1.0`. */
  readonly program: string;
  /** Digest of that program's API. */
  readonly contract?: string;
}

export function provenanceFacts(story: Story, summary: Summary, printing: Printing): Fact[] {
  const { started, head } = story;
  const { destination, program, run, exit, playbook } = summary;
  const { target, profile, host, keyFingerprint, accountId, family } = destination;
  const digest = (value: string): Inline => ({ code: `sha256 ${plainText(value, 64)}` });
  const where = `${target}, profile ${plainText(profile, 60)}, ${plainText(host, 100)}`;
  const ending = exit === undefined ? 'not finished' : `exit code ${exit}`;
  const facts: Fact[] = [
    ['Playbook', [playbook.file, ' ', digest(started.playbook.digest)]],
    ['Destination', where],
    ['Its time (run.time)', `${moment(started.time)} UTC, by the exchange’s clock`],
    ['Run by', program],
    ['Page by', plainText(printing.program, 80)],
    ['Journal', [{ code: run }, `, ${head} entries, ${ending}`]],
  ];
  facts.splice(1, 0, ...basis(story, summary));
  if (family !== undefined) facts.push(['Account family', family]);
  if (accountId !== undefined) facts.push(['Account', plainText(accountId, 100)]);
  if (keyFingerprint !== undefined)
    facts.push(['Key', `fingerprint ${plainText(keyFingerprint, 16)}`]);
  for (const { profile, assumptions } of summary.bases) {
    const name = summary.bases.length === 1 ? 'Assumptions' : `Rests on, ${profile}`;
    facts.push([name, { lines: assumptions.map(assumptionWords) }]);
  }
  facts.push(...guardFacts(summary.guards));
  if (printing.contract !== undefined) facts.push(['Contract', digest(printing.contract)]);
  return facts;
}

function basis({ started }: Story, { plan, commit, scheduledFor }: Summary): Fact[] {
  const facts: Fact[] = [];
  if (plan !== undefined) facts.push(['Plan', { code: plan }]);
  if (started.approvals !== undefined) {
    facts.push(['Approved by', { lines: started.approvals.map(approvalWords) }]);
  }
  if (commit !== undefined) facts.push(['Commit', { code: commit }]);
  if (scheduledFor !== undefined) facts.push(['Scheduled for', `${moment(scheduledFor)} UTC`]);
  return facts;
}

function approvalWords({ who, key, at }: Approval): Inline {
  return [`${plainText(who, 100)}, ${moment(at)} UTC, `, { code: plainText(key, 80) }];
}

function assumptionWords({ number, statement, state, because }: Assumption): Inline {
  return [`A${number} ${statement}: `, { strong: stateWords[state] }, `, ${because}`];
}

const stateWords = {
  assumed: 'assumed',
  proved: 'proved',
  open: 'not verified',
  refuted: 'NOT so',
};
