/** Signed approvals of a plan, searched and verified. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  checkApprovals,
  namesOf,
  type ApprovalRules,
  type ApprovalCheck,
  type ApprovalConditions,
  type Signer,
} from '../../engine/approval/check.ts';
import { everyRecord, recordsIn, type SignedFile } from '../../engine/approval/record.ts';
import { ConfigError } from '../../base/error.ts';
import { refuseIrregular } from '../../base/read-file.ts';
import { count, listed, plainText, shellWord } from '../../base/text.ts';
import type { Config } from '../config/load.ts';
import type { Approval, Entry } from '../../engine/journal/entry.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { AppContext } from '../app-context.ts';
import { authorsOf } from '../machine/git.ts';
import { ApprovalError, MissingApprovalError } from '../../engine/approval/approval-error.ts';
import { askedFor, rulesFor, type Asked } from './asked.ts';
import { filesOfPlan, refuseUncommitted } from './committed.ts';
import { refuseUnbounded } from './unbounded.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

type Started = Extract<Entry, { readonly kind: 'started' }>;

/**
 * The records about a plan: those in the folder of a profile, those that came with its job, and those in the
 * store.
 */
export async function recordsAbout(
  plan: string,
  rules: ApprovalRules,
  config: Config,
  { kept = [] }: Pick<AppContext, 'kept'>,
): Promise<readonly SignedFile[]> {
  const own = await recordsIn(recordsFolder(rules, config), plan);
  const all = [...own, ...kept];
  // A record may be in several places; a second copy of a passkey's would look like a reused counter.
  const isFirst = ({ body, signature }: SignedFile, at: number): boolean =>
    body === undefined ||
    all.findIndex((one) => one.body === body && isDeepStrictEqual(one.signature, signature)) === at;
  return all.filter(isFirst);
}

/** The folder with the approval records of a profile. */
export function recordsFolder({ records }: ApprovalRules, { stateDir }: Config): string {
  return records ?? join(stateDir, 'approvals');
}

/**
 * The known authors of a plan's playbook or the plan file, now and when it was made.
 * @throws ApprovalError when another person must approve, and Git does not contain the playbook
 */
export async function conditionsOf(
  plan: Pick<Plan, 'id' | 'digest' | 'authors' | 'playbook'>,
  rules: ApprovalRules,
  { env, clock, folder }: AppContext,
): Promise<ApprovalConditions> {
  const place = { env, ...(folder !== undefined && { folder }) };
  const { authors, playbook } = plan;
  refuseWithoutSigners(rules);
  const files = [playbook.file, ...(playbook.includes ?? []).map(({ file }) => file)];
  if (rules.by === 'other') await refuseUncommitted(plan, place);
  // The committer of the plan may have chosen its inputs and its time.
  const own = (await filesOfPlan(plan, place)).map((file) => `:(top,literal)${file}`);
  const known = await authorsOf([...files, ...own], rules.signers, place);
  return { rules, authors: [...new Set([...authors, ...known])], now: clock.now(), env };
}

/**
 * The approvals of a plan, if its profiles require some.
 * @returns undefined when no profile requires any
 * @throws ApprovalError when there are too few, a person declined, or a record was changed
 */
export async function approvalsOf(
  plan: Plan,
  config: Config,
  context: AppContext,
): Promise<readonly Approval[] | undefined> {
  const asked = askedFor(plan, config);
  if (asked.length === 0) return undefined;
  refuseUnbounded(plan);
  const signers = new Map<string, Signer>();
  for (const { profile, rules } of asked) {
    const records = await recordsAbout(plan.id, rules, config, context);
    const conditions = await conditionsOf(plan, rules, context);
    const others = await comparedWith(records, rules, config);
    const check = await checkApprovals(plan, records, { ...conditions, others });
    refuse(plan, { profile, rules }, check, conditions, context);
    for (const signer of check.approved) signers.set(signer.key, signer);
  }
  return [...signers.values()].map((signer) => ({
    who: namesOf(signer),
    key: signer.key,
    at: signer.at,
  }));
}

/**
 * The records that an approval by passkey is compared with: records of other plans may have a higher counter.
 */
export async function comparedWith(
  records: readonly SignedFile[],
  rules: ApprovalRules,
  config: Config,
): Promise<readonly SignedFile[]> {
  const hasPasskey = records.some(({ signature }) => signature?.kind === 'passkey');
  return hasPasskey ? [...records, ...(await everyRecord(recordsFolder(rules, config)))] : [];
}

/** @throws ApprovalError */
function refuse(
  { id }: Plan,
  { profile, rules }: Asked,
  { approved, declined, passed, broken, noted }: ApprovalCheck,
  { authors }: ApprovalConditions,
  { note }: AppContext,
): void {
  const [first] = broken;
  if (first !== undefined) {
    throw new ApprovalError(
      `${plainText(first.file)} cannot be trusted: ${plainText(first.why, 300)}`,
      'find out who changed it, then get the plan approved again',
    );
  }
  refuseDeclined(id, declined);
  for (const { file, why } of passed) {
    note({
      kind: 'remark',
      message: `${plainText(file)} does not count: ${plainText(why, 300)}`,
    });
  }
  for (const { file, why } of noted) {
    note({ kind: 'remark', message: `${plainText(file)}: ${plainText(why, 300)}` });
  }
  if (rules.by === 'other' && authors.length === 0) {
    throw new ApprovalError(
      `the author of plan ${id} is not known, so no approver is known to be another person`,
      'commit the playbook, or set user.email in Git, and make the plan again',
    );
  }
  if (approved.length >= rules.count) return;
  throw new MissingApprovalError(
    missing(id, profile, rules, approved),
    `deskhand approve ${shellWord(id)}`,
  );
}

/** @throws ApprovalError */
function refuseDeclined(id: string, [no]: readonly Signer[]): void {
  if (no === undefined) return;
  const why = no.comment === undefined ? '' : `: ${plainText(no.comment, 200)}`;
  throw new ApprovalError(
    `plan ${id} was declined by ${plainText(namesOf(no))}${why}`,
    'make a new plan after they agree',
  );
}

/**
 * Refuses the rest of a run whose plan was declined after the start. An author may decline, too.
 * @throws ApprovalError
 */
export async function refuseDeclinedSince(
  started: Started,
  config: Config,
  context: AppContext,
): Promise<void> {
  const { clock, env } = context;
  const { plan: id } = started;
  if (id === undefined) return;
  for (const { rules } of rulesFor(destinationsOf(started), config)) {
    refuseWithoutSigners(rules);
    const conditions: ApprovalConditions = { rules, authors: [], now: clock.now(), env };
    const records = await recordsAbout(id, rules, config, context);
    for (const signed of records) {
      const digest = signed.record?.digest ?? '';
      if (`p-${digest.slice(0, 8)}` !== id || signed.record?.verdict !== 'decline') continue;
      refuseDeclined(id, (await checkApprovals({ id, digest }, [signed], conditions)).declined);
    }
  }
}

/** @throws ConfigError */
function refuseWithoutSigners({ signers }: ApprovalRules): void {
  if (existsSync(signers)) return refuseIrregular(signers);
  throw new ConfigError(
    `file of allowed signers not found: ${signers}`,
    'list the signers in it, as for Git: ann@desk.example ssh-ed25519 AAAA…',
  );
}

function missing(
  id: string,
  profile: string,
  { count: needed, by, of }: ApprovalRules,
  approved: readonly Signer[],
): string {
  const others = by === 'other' ? ' by a person who did not write it' : '';
  const among = of === undefined ? '' : `, of ${listed(of, 'or')}`;
  const has = approved.length === 0 ? 'none' : listed(approved.map(namesOf));
  return plainText(
    `profile ${profile} requires ${count(needed, 'approval')} of plan ${id}${others}${among}; it has ${has}`,
  );
}

/** A person's approval, and the profiles that it counts for. */
export interface Counted {
  readonly signer: Signer;
  readonly rules: readonly ApprovalRules[];
}

/**
 * Checks a person's approval against the rules of every profile before it is written.
 * @throws ApprovalError when it would count for none
 */
export async function countedFor(
  plan: Plan,
  signed: SignedFile,
  asked: readonly Asked[],
  context: AppContext,
): Promise<Counted> {
  const rules: ApprovalRules[] = [];
  const signers: Signer[] = [];
  const reasons: string[] = [];
  for (const each of asked) {
    const conditions = await conditionsOf(plan, each.rules, context);
    const { approved, declined, passed, broken } = await checkApprovals(plan, [signed], conditions);
    const [mine] = [...approved, ...declined];
    if (mine !== undefined) signers.push(mine);
    if (mine !== undefined) rules.push(each.rules);
    reasons.push(...[...passed, ...broken].map(({ why }) => why));
  }
  const [signer] = signers;
  if (signer !== undefined) return { signer, rules };
  const files = listed([...new Set(asked.map((each) => each.rules.signers))]);
  throw new ApprovalError(
    `this approval would not count: ${plainText(reasons[0] ?? 'it gives no reason', 300)}`,
    `the allowed signers are in ${files}; use --key to select another key`,
  );
}
