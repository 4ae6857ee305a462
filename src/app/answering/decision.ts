/** A person's decision about what a step of a run asks: read from the run's journal, signed, and saved. */
import { DeskhandError, UsageError } from '../../base/error.ts';
import { readableJson } from '../../base/json.ts';
import { plainText, shellWord } from '../../base/text.ts';
import { ApprovalError } from '../../engine/approval/approval-error.ts';
import { answerTo, type AnswerRecord, type AskedIn } from '../../engine/approval/answer-record.ts';
import { namesOf, type ApprovalRules } from '../../engine/approval/check.ts';
import { challengeOf } from '../../engine/approval/passkey/signature.ts';
import { readPeople } from '../../engine/approval/people.ts';
import {
  answerText,
  signedIn,
  writeAnswer,
  type SignedFile,
} from '../../engine/approval/record.ts';
import type { Signature } from '../../engine/approval/signed-text.ts';
import { questionDigest } from '../../engine/effects/ask-people.ts';
import { endIn } from '../../engine/journal/end.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { openQuestions, overAt, type Question } from '../../engine/journal/questions.ts';
import type { AppContext } from '../app-context.ts';
import { recordsFolder } from '../approval/signed.ts';
import type { Config } from '../config/load.ts';
import { startOf } from '../running/started.ts';
import { answersOf, checked, conditionsFor, type AskingRun } from './checked-answers.ts';
import { answersAbout, shareAnswer } from './kept-answers.ts';
import { answerRules } from './answer-rules.ts';

/** An open question of a run. */
export interface OpenQuestion {
  readonly run: AskingRun;
  readonly asked: Question;
  readonly rules: ApprovalRules;
  /** The time that is left to answer the question. */
  readonly left: number;
}

/**
 * The question of a run that waits for an answer.
 * @param step the address of the step; default: the only one that waits
 * @param entries the journal of the run
 * @throws UsageError without such a question; ApprovalError when its time is over, or it was changed
 */
export function openQuestion(
  run: string,
  step: string | undefined,
  entries: readonly Entry[],
  config: Config,
  context: AppContext,
): OpenQuestion {
  const asked = chosen(run, step, entries);
  const { address, destination } = asked;
  if (questionDigest(asked) !== asked.digest) {
    throw new ApprovalError(
      `the question of ${plainText(address, 100)} in the journal of ${run} was changed`,
      'find out who changed the journal',
    );
  }
  const left = overAt(asked) - context.clock.now();
  if (left <= 0) {
    throw new ApprovalError(
      `the time to answer ${plainText(address, 100)} of ${run} is over`,
      `see \`deskhand runs show ${shellWord(run)}\``,
    );
  }
  const rules = answerRules(destination.profile, asked, config);
  return { run: startOf(entries, run), asked, rules, left };
}

function chosen(run: string, step: string | undefined, entries: readonly Entry[]): Question {
  const open = openQuestions(entries);
  const found = step === undefined ? open : open.filter(({ address }) => address === step);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const names = open.map(({ address }) => plainText(address, 100)).join(', ');
  if (only !== undefined) {
    throw new UsageError(`several steps of ${run} wait for an approval`, `name one: ${names}`);
  }
  const what = step === undefined ? 'no step' : `${plainText(step, 100)} does not`;
  const waits = step === undefined ? `${what} of ${run} waits` : `${what} wait`;
  const end = endIn(entries);
  const hint =
    open.length > 0
      ? `these wait: ${names}`
      : end?.status === 'done'
        ? 'the run is done'
        : `see \`deskhand runs show ${shellWord(run)}\``;
  throw new UsageError(`${waits} for an approval`, hint);
}

function subjectOf({ run, asked }: OpenQuestion): AskedIn {
  return { run: run.run, playbook: run.playbook.name, asked };
}

/** The record of an answer, for a person to sign. */
export function answerFor(
  question: OpenQuestion,
  verdict: AnswerRecord['verdict'],
  comment: string | undefined,
  at: number,
): AnswerRecord {
  const said = { verdict, at, ...(comment !== undefined && { comment: plainText(comment) }) };
  return answerTo(subjectOf(question), said);
}

/** The text of an answer that is signed. */
export function answerBody(said: AnswerRecord): string {
  return readableJson(said);
}

/** An answer that counts, its signer, and the file that has it. */
export type SavedAnswer = AnswerRecord & {
  readonly who: string;
  /** Fingerprint of the key that signed. */
  readonly key: string;
  readonly file: string;
};

/**
 * Saves a signed answer, where the run looks for it.
 * @param path of the file; default: one in the folder of the profile
 * @throws ApprovalError when it would not count
 */
export async function saveAnswer(
  question: OpenQuestion,
  verdict: AnswerRecord['verdict'],
  signed: { readonly body: string; readonly signature: Signature },
  config: Config,
  context: AppContext,
  path?: string,
): Promise<SavedAnswer> {
  const { run, rules, asked } = question;
  const text = `${signed.body}${signed.signature.armoured}`;
  const file = signedIn(Buffer.from(text), 'the answer');
  const { answer } = file;
  if (answer?.verdict !== verdict) {
    throw new ApprovalError(
      `it is not a record to ${verdict} a step`,
      'sign the text that --unsigned prints',
    );
  }
  const conditions = await conditionsFor(run, rules, context);
  const check = await checked(subjectOf(question), [file], conditions, config);
  const [signer] = [...check.approved, ...check.declined];
  if (signer === undefined) {
    const [reason] = [...check.passed, ...check.broken];
    throw new ApprovalError(
      `this answer would not count: ${plainText(reason?.why ?? 'it gives no reason', 300)}`,
      `the allowed signers are in ${rules.signers}; use --key to select another key`,
    );
  }
  const saved = await writeAnswer(recordsFolder(rules, config), answer, signed.signature, path);
  const whole = answerText(answer, signed.signature);
  await shareAnswer(run.run, asked.destination, whole, config, context);
  return { ...answer, who: namesOf(signer), key: signer.key, file: saved };
}

/** The text that people sign to answer a question elsewhere, and who has answered so far. */
export interface AnswerOffer {
  readonly version: 1;
  readonly record: string;
  /** The challenge of a passkey. */
  readonly challenge: string;
  readonly passkeys: readonly {
    readonly who: string;
    readonly id: string;
    readonly rpId: string;
    readonly origins: readonly string[];
  }[];
  readonly run: string;
  readonly asked: Question;
  readonly required: AnswersSoFar;
}

export interface AnswersSoFar {
  readonly by: 'other' | 'anyone';
  readonly count: number;
  readonly of?: readonly string[];
  readonly approved: readonly { readonly who: string; readonly key: string; readonly at: number }[];
  readonly notes: readonly string[];
  /** The reason why no answer can count now. */
  readonly trouble?: string;
}

/** @param comment part of the record */
export async function answerOffer(
  question: OpenQuestion,
  verdict: AnswerRecord['verdict'],
  comment: string | undefined,
  config: Config,
  context: AppContext,
): Promise<AnswerOffer> {
  const { run, asked, rules } = question;
  const record = answerBody(answerFor(question, verdict, comment, context.clock.now()));
  const { passkeys = [] } = await readPeople(rules);
  return {
    version: 1,
    record,
    challenge: challengeOf(record),
    passkeys: passkeys.map(({ who, id, rpId, origins }) => ({ who, id, rpId, origins })),
    run: run.run,
    asked,
    required: await answersSoFar(question, config, context),
  };
}

/** The answers that a question has so far. */
export async function answersSoFar(
  question: OpenQuestion,
  config: Config,
  context: AppContext,
): Promise<AnswersSoFar> {
  const { run, asked, rules } = question;
  const { by, count, of } = rules;
  const start = { by, count, ...(of && { of }) };
  try {
    const all = await answersAbout(run.run, asked.destination, rules, config, context);
    const records = all.filter(
      ({ answer }: SignedFile) => answer === undefined || answer.step === asked.address,
    );
    const conditions = await conditionsFor(run, rules, context);
    const check = await checked(subjectOf(question), records, conditions, config);
    const notes = [...check.broken, ...check.passed, ...check.noted];
    return {
      ...start,
      approved: answersOf(check.approved, records).map(({ who, key, at }) => ({ who, key, at })),
      notes: notes.map(({ file, why }) => plainText(`${file}: ${why}`, 500)),
    };
  } catch (error) {
    if (!(error instanceof DeskhandError) || error.actor === 'ours') throw error;
    return { ...start, approved: [], notes: [], trouble: error.message };
  }
}
