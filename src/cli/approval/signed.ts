/** The signed word of others on a plan: what a profile asks for, found and judged. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  judge,
  namesOf,
  type ApprovalRules,
  type Judged,
  type Judging,
  type Signer,
} from '../../approval/judge.ts';
import { recordsIn, type SignedFile } from '../../approval/record.ts';
import { ConfigError } from '../../base/error.ts';
import { count, listed, plainText } from '../../base/text.ts';
import type { Config } from '../../config/load.ts';
import type { Approval, Destination, Entry } from '../../journal/entry.ts';
import { mayWrite } from '../../plan/effect.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Context } from '../context.ts';
import { authorsOf } from '../git.ts';
import { ApprovalError } from './ask.ts';

type Started = Extract<Entry, { readonly kind: 'started' }>;

/** What one profile of a plan asks for. */
export interface Asked {
  readonly profile: string;
  readonly rules: ApprovalRules;
}

/** Every profile of a plan that asks for somebody's word; a plan that only reads needs nobody's. */
export function askedFor(plan: Plan, config: Config): Asked[] {
  const { destination, accounts = [] } = plan;
  return mayWrite(plan) ? rulesFor([destination, ...accounts], config) : [];
}

/** What the profiles of some accounts ask for. */
function rulesFor(accounts: readonly Destination[], { profiles }: Config): Asked[] {
  return accounts.flatMap(({ profile }) => {
    const rules = profiles.get(profile)?.approval;
    return rules === undefined ? [] : [{ profile, rules }];
  });
}

/** Where the records of a profile are kept. */
export function recordsFolder({ records }: ApprovalRules, { stateDir }: Config): string {
  return records ?? join(stateDir, 'approvals');
}

/** Who is known to have written a plan's playbook, now and when it was made. */
async function judgingOf(
  { authors, playbook }: Pick<Plan, 'authors' | 'playbook'>,
  rules: ApprovalRules,
  { terminal: { env }, clock }: Context,
): Promise<Judging> {
  if (!existsSync(rules.signers)) {
    throw new ConfigError(
      `there is no file of allowed signers ${rules.signers}`,
      'list who may sign in it, as for Git: ann@desk.example ssh-ed25519 AAAA…',
    );
  }
  const files = [playbook.file, ...(playbook.includes ?? []).map(({ file }) => file)];
  const known = await authorsOf(files, rules.signers, env);
  return { rules, authors: [...new Set([...authors, ...known])], now: clock.now(), env };
}

/**
 * The approvals of a plan, where its profiles ask for some.
 * @returns undefined when none asks
 * @throws ApprovalError when they are not enough, one declined, or a record is not as it was signed
 */
export async function approvalsOf(
  plan: Plan,
  config: Config,
  context: Context,
): Promise<readonly Approval[] | undefined> {
  const asked = askedFor(plan, config);
  if (asked.length === 0) return undefined;
  const signers = new Map<string, Signer>();
  for (const { profile, rules } of asked) {
    const records = await recordsIn(recordsFolder(rules, config), plan.id);
    const judging = await judgingOf(plan, rules, context);
    const judged = await judge(plan, records, judging);
    refuse(plan, { profile, rules }, judged, judging, context);
    for (const signer of judged.approved) signers.set(signer.key, signer);
  }
  return [...signers.values()].map((signer) => ({
    who: namesOf(signer),
    key: signer.key,
    at: signer.at,
  }));
}

/** @throws ApprovalError */
function refuse(
  { id }: Plan,
  { profile, rules }: Asked,
  { approved, declined, passed, broken }: Judged,
  { authors }: Judging,
  { terminal: { err } }: Context,
): void {
  const [first] = broken;
  if (first !== undefined) {
    throw new ApprovalError(
      `${plainText(first.file)} cannot be trusted: ${plainText(first.why, 300)}`,
      'find out who changed it; have the plan approved anew',
    );
  }
  refuseDeclined(id, declined);
  for (const { file, why } of passed) {
    err.line(
      `${err.look.paint('warn', '!')} ${plainText(file)} does not count: ${plainText(why, 300)}`,
    );
  }
  if (rules.by === 'other' && authors.length === 0) {
    throw new ApprovalError(
      `nobody is known to have written plan ${id}, so nobody is known to be another`,
      'commit the playbook, or set user.email in Git, and make the plan again',
    );
  }
  if (approved.length >= rules.count) return;
  throw new ApprovalError(missing(id, profile, rules, approved), `deskhand approve ${id}`);
}

/** @throws ApprovalError */
function refuseDeclined(id: string, [no]: readonly Signer[]): void {
  if (no === undefined) return;
  const why = no.comment === undefined ? '' : `: ${plainText(no.comment, 200)}`;
  throw new ApprovalError(
    `plan ${id} was declined by ${plainText(namesOf(no))}${why}`,
    'make a new plan once they agree',
  );
}

/**
 * A plan that was declined after its run began: the rest is not sent.
 * @throws ApprovalError
 */
export async function refuseDeclinedSince(
  { plan: id, destination, accounts = [], playbook }: Started,
  config: Config,
  context: Context,
): Promise<void> {
  if (id === undefined) return;
  for (const { rules } of rulesFor([destination, ...accounts], config)) {
    const judging = await judgingOf({ authors: [], playbook }, rules, context);
    const records = await recordsIn(recordsFolder(rules, config), id);
    for (const signed of records) {
      const digest = signed.record?.digest ?? '';
      if (`p-${digest.slice(0, 8)}` !== id || signed.record?.verdict !== 'decline') continue;
      refuseDeclined(id, (await judge({ id, digest }, [signed], judging)).declined);
    }
  }
}

function missing(
  id: string,
  profile: string,
  { count: needed, by, of }: ApprovalRules,
  approved: readonly Signer[],
): string {
  const others = by === 'other' ? ' by somebody who did not write it' : '';
  const among = of === undefined ? '' : `, of ${listed(of, 'or')}`;
  const has = approved.length === 0 ? 'none' : listed(approved.map(namesOf));
  return plainText(
    `profile ${profile} asks for ${count(needed, 'approval')} of plan ${id}${others}${among}; it has ${has}`,
  );
}

/** A word of one's own, and where it counts. */
export interface Counted {
  readonly signer: Signer;
  readonly rules: readonly ApprovalRules[];
}

/**
 * A word of one's own, held against the rules of every profile that asks, before it is written.
 * @throws ApprovalError when it would count for none
 */
export async function countedFor(
  plan: Plan,
  signed: SignedFile,
  asked: readonly Asked[],
  context: Context,
): Promise<Counted> {
  const rules: ApprovalRules[] = [];
  const signers: Signer[] = [];
  const reasons: string[] = [];
  for (const each of asked) {
    const judging = await judgingOf(plan, each.rules, context);
    const { approved, declined, passed, broken } = await judge(plan, [signed], judging);
    const [mine] = [...approved, ...declined];
    if (mine !== undefined) signers.push(mine);
    if (mine !== undefined) rules.push(each.rules);
    reasons.push(...[...passed, ...broken].map(({ why }) => why));
  }
  const [signer] = signers;
  if (signer !== undefined) return { signer, rules };
  const files = listed([...new Set(asked.map((each) => each.rules.signers))]);
  throw new ApprovalError(
    `this word would not count: ${plainText(reasons[0] ?? 'it says nothing', 300)}`,
    `the allowed signers stand in ${files}; --key names another key`,
  );
}

/** Everything a person may sign under. @throws ConfigError when no profile of the plan asks */
export function askedOf(plan: Plan, config: Config): readonly [Asked, ...Asked[]] {
  const [first, ...others] = askedFor(plan, config);
  if (first !== undefined) return [first, ...others];
  const { profile } = plan.destination;
  throw new ConfigError(
    `profile ${profile} asks for no signed approval of this plan`,
    `run it with --approve ${plan.id}, or say whose word it needs: profiles.${profile}.approve`,
  );
}
