/** A plan as its page shows it: every line, its limits, its differences, and the people who approved it. */
import { destinationsOf } from '../../../engine/journal/account.ts';
import { targets } from '../../../engine/journal/shared-schema.ts';
import {
  approvedLast,
  offeredPasskeys,
  requirement,
  type Offer,
} from '../../../engine/approval/offer.ts';
import {
  choice,
  integer,
  list,
  optional,
  record,
  text,
  truth,
  type Infer,
} from '../../../exchange/api/schema.ts';
import { plainText } from '../../../base/text.ts';
import { guardResult } from '../../../engine/journal/guard-result.ts';
import { accountColumns, accountRows, openAfterWords } from '../../../report/account-totals.ts';
import { unboundedIn, unknownLines } from '../../../report/unknown-orders.ts';
import { unlistedWords } from '../../../report/assumptions.ts';
import { orphanLines, orphansHint, orphansWords } from '../../../report/orphans.ts';
import { percentOf, planLines } from '../../../report/plan-line.ts';
import { doubtsOfOthersLines, unfinishedLines } from '../../../report/unfinished-runs.ts';
import { costWords, laterReadWords } from '../../../report/words.ts';
import type { Desk } from '../desk.ts';
import { byWorker, byWorkerOf } from '../desk-queue.ts';
import { realAmong } from '../real-account.ts';
import { moment } from '../shapes.ts';
import { whatOf } from './plan-row.ts';

const line = record({
  step: text(),
  kind: choice(['read', 'none', 'create', 'set', 'local', 'outbound', 'skip', 'reused', 'later']),
  sign: text(),
  text: text({ description: 'Every field that is not the default' }),
  details: list(text()),
  mark: optional(text()),
  distance: optional(text()),
  notional: optional(text()),
  isFar: truth,
  certainty: text(),
  isWarning: truth,
});

export const planView = record({
  desk: text(),
  plan: text(),
  run: optional(text({ description: 'Its run, once it began' })),
  start: record({
    isHere: truth,
    byWorker,
    confirm: optional(text({ description: 'Must be typed before it is started' })),
  }),
  digest: text(),
  playbook: text(),
  file: text(),
  profile: text(),
  target: choice(targets),
  host: text(),
  keyFingerprint: optional(text()),
  otherAccounts: list(text()),
  authors: list(text()),
  commit: optional(text()),
  observedAt: moment('When its prices were read, by the clock of the exchange'),
  expiresAt: moment('End of its validity'),
  what: text({ description: 'What it would change' }),
  cost: text({ description: 'Requests and their time at the limits of the API' }),
  farthest: optional(text({ description: 'Largest distance from a mark price' })),
  openAfter: optional(text({ description: 'Open orders after its run' })),
  accounts: list(list(text()), {
    description: 'Head and rows of the totals of each account, if there are several',
  }),
  lines: list(line),
  left: integer({ description: 'Number of lines that follow' }),
  page: integer({ minimum: 1, description: 'Of the lines' }),
  pages: integer({ minimum: 1 }),
  guards: list(guardResult),
  notes: list(text(), { description: 'What to look at' }),
  later: list(text(), { description: 'Values that only the run reads' }),
  unknown: list(text(), { description: 'Orders not in the totals, with what bounds them' }),
  isUnbounded: truth,
  approvedLast: optional(approvedLast),
  required: list(requirement),
  passkeys: offeredPasskeys,
  command: text({ description: 'The same on the command line' }),
});

export type PlanView = Infer<typeof planView>;

const linesMax = 1_000; // lines of a page; more make it slow

/** A plan that was computed again, and what people signed of it. */
export type ShownPlan = Pick<Offer, 'plan' | 'passkeys' | 'required' | 'approvedLast'>;

/** A plan for its page. @param wanted the page of its lines */
export function planViewOf(
  desk: Desk,
  { plan, passkeys, required, ...offer }: ShownPlan,
  wanted = 1,
): PlanView {
  const { destination, accounts = [], playbook, totals, guards, readLater = [] } = plan;
  const all = destinationsOf(plan);
  const real = realAmong(all);
  const { profile, target, host, keyFingerprint } = destination;
  const { farthest } = totals;
  const openAfter = openAfterWords(totals);
  const lines = planLines(plan);
  const pages = Math.max(1, Math.ceil(lines.length / linesMax));
  const page = Math.min(Math.max(1, wanted), pages);
  const shown = lines.slice((page - 1) * linesMax, page * linesMax);
  return {
    desk: desk.name,
    plan: plan.id,
    ...(desk.has(plan.run) && { run: plan.run }),
    start: {
      isHere: real === undefined,
      byWorker: byWorkerOf(all, desk.queue),
      ...(real && { confirm: plainText(real.profile, 60) }),
    },
    digest: plan.digest,
    playbook: plainText(playbook.name, 80),
    file: plainText(playbook.file, 200),
    profile: plainText(profile, 60),
    target,
    host: plainText(host, 100),
    ...(keyFingerprint !== undefined && { keyFingerprint: plainText(keyFingerprint, 60) }),
    otherAccounts: accounts.map((each) => plainText(each.profile, 60)),
    authors: plan.authors.map((author) => plainText(author, 100)),
    ...(plan.commit !== undefined && { commit: plan.commit }),
    observedAt: plan.observedAt,
    expiresAt: plan.expiresAt,
    what: whatOf(totals),
    cost: costWords(totals),
    ...(farthest !== undefined && { farthest: percentOf(farthest) }),
    ...(openAfter !== '' && { openAfter }),
    accounts: totals.accounts === undefined ? [] : [accountColumns, ...accountRows(totals)],
    lines: shown.map((each) => ({ ...each })),
    left: lines.length - (page - 1) * linesMax - shown.length,
    page,
    pages,
    guards,
    notes: notesOf(plan),
    later: readLater.map(laterReadWords),
    unknown: unknownLines(plan),
    isUnbounded: unboundedIn(plan).length > 0,
    ...(offer.approvedLast && { approvedLast: offer.approvedLast }),
    required,
    passkeys,
    command: `deskhand ${required.length === 0 ? 'run' : 'approve'} ${plan.id}`,
  };
}

function notesOf({
  notes = [],
  unlisted = [],
  orphans = [],
  unfinished = [],
  doubts,
}: Offer['plan']): readonly string[] {
  return [
    ...unfinishedLines(unfinished),
    ...doubtsOfOthersLines(doubts),
    ...notes.map((note) => plainText(note, 300)),
    ...unlisted.map((profile) => unlistedWords(profile)),
    ...(orphans.length === 0
      ? []
      : [`${orphansWords(orphans.length)}: ${orphansHint}`, ...orphanLines(orphans)]),
  ];
}
