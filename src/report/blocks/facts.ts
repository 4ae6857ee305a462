/** Facts below the title: which account and run, what it is based on, how long it took. */
import { count, listed, plainText, spoken } from '../../base/text.ts';
import { allAccounts } from '../accounts.ts';
import { openWords } from '../sentences.ts';
import type { Story } from '../story.ts';
import type { Summary } from '../summary.ts';
import { moment } from '../words.ts';
import type { Fact } from './block.ts';

export function runFacts(summary: Summary): Fact[] {
  const { destination, run, plan, approvedBy, commit, scheduledFor, longestWait } = summary;
  const { startedAt, attempts, requests, retries } = summary;
  const sent = count(requests, 'request');
  const facts: Fact[] = [accountFact(summary)];
  if (destination.target !== 'sandbox') facts.push(['host', plainText(destination.host, 100)]);
  facts.push(['run', { code: run }]);
  if (plan !== undefined) facts.push(['plan', { digest: plan }]);
  if (approvedBy !== undefined) facts.push(['approved by', listed(approvedBy)]);
  if (commit !== undefined) facts.push(['commit', { digest: commit }]);
  if (scheduledFor !== undefined) facts.push(['scheduled for', `${moment(scheduledFor)} UTC`]);
  facts.push(['started', `${moment(startedAt)} UTC`]);
  facts.push(['took', tookText(summary, attempts)]);
  facts.push(['sent', retries === 0 ? sent : `${sent}, ${count(retries, 'retry', 'retries')}`]);
  if (longestWait) facts.push(['longest wait', `${spoken(longestWait.ms)} ${longestWait.why}`]);
  return facts;
}

/** The active time of a run: `16 s in 2 sessions, open for 8 min`. */
function tookText(run: Summary, sessions: number): string {
  const active = `${spoken(run.tookMs)}${sessions === 1 ? '' : ` in ${sessions} sessions`}`;
  return [active, openWords(run)].filter((words) => words !== '').join(', ');
}

function accountFact(run: Pick<Summary, 'destination' | 'accounts'>): Fact {
  const names = allAccounts(run);
  return run.accounts === undefined ? ['account', { code: names }] : ['accounts', names];
}

/** The facts of a custom page. */
export function documentFacts({ started }: Story): Fact[] {
  const { at, playbook, run } = started; // its time is that of the plan, which may be hours older
  return [
    accountFact(started),
    ['started', `${moment(at)} UTC`],
    ['playbook', plainText(playbook.name, 80)],
    ['run', { code: plainText(run, 60) }],
  ];
}
