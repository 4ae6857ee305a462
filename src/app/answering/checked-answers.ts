/** Whether the answers to a question of a run suffice. */
import {
  checkAnswers,
  namesOf,
  type ApprovalCheck,
  type ApprovalConditions,
  type ApprovalRules,
} from '../../engine/approval/check.ts';
import type { AskedIn } from '../../engine/approval/answer-record.ts';
import { everyRecord, type SignedFile } from '../../engine/approval/record.ts';
import type { Answer } from '../../engine/journal/people-answers.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import type { AppContext } from '../app-context.ts';
import { conditionsOf, recordsFolder } from '../approval/signed.ts';
import type { Config } from '../config/load.ts';

/** The run that asks: its playbook, and those who wrote or started it. */
export type AskingRun = Pick<
  Extract<Entry, { readonly kind: 'started' }>,
  'run' | 'playbook' | 'authors'
>;

/** @throws ApprovalError when another person must answer, and Git does not contain the playbook */
export function conditionsFor(
  { run, playbook, authors = [] }: AskingRun,
  rules: ApprovalRules,
  context: AppContext,
): Promise<ApprovalConditions> {
  const { digest } = playbook;
  return conditionsOf({ id: run, digest, authors: [...authors], playbook }, rules, context);
}

/** Checks answers, and compares counters of passkeys with those of all records. */
export async function checked(
  asked: AskedIn,
  records: readonly SignedFile[],
  conditions: ApprovalConditions,
  config: Config,
): Promise<ApprovalCheck> {
  const hasPasskey = records.some(({ signature }) => signature?.kind === 'passkey');
  const folder = recordsFolder(conditions.rules, config);
  const others = hasPasskey ? [...records, ...(await everyRecord(folder))] : [];
  return checkAnswers(asked, records, { ...conditions, others });
}

/** The answers of people that count, with the texts that they signed. */
export function answersOf(
  signers: ApprovalCheck['approved'],
  records: readonly SignedFile[],
): readonly Answer[] {
  return signers.map((signer) => {
    const { key, at, file, comment } = signer;
    const text = records.find((record) => record.file === file)?.text ?? '';
    return { who: namesOf(signer), key, at, text, ...(comment !== undefined && { comment }) };
  });
}
