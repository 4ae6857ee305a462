/** A person's signed answer to a step that waits for approvals: for one run, one step, and what it showed. */
import { isDeepStrictEqual } from 'node:util';
import { choice, exactly, optional, record, text, type Infer } from '../../exchange/api/schema.ts';
import type { Entry } from '../journal/entry.ts';
import { destinationSchema, millis } from '../journal/shared-schema.ts';
import { shapeCheck } from '../../exchange/api/check.ts';

/** The JSON above the signature: it names the run and its step, and the digest binds all that was shown. */
export const answerSchema = record({
  version: exactly(1),
  verdict: choice(['approve', 'decline']),
  run: text(),
  step: text({ description: 'Address of the step that asks' }),
  digest: text({ description: 'Digest of the text and of the effects that it lets go' }),
  playbook: text(),
  account: destinationSchema,
  until: millis('When the step stops waiting, by the exchange’s clock'),
  at: millis('Time of signing, by the clock of the person’s machine'),
  comment: optional(text()),
});

export type AnswerRecord = Infer<typeof answerSchema>;

const isAnswer = shapeCheck(answerSchema);

/** A question of a run. */
export interface AskedIn {
  readonly run: string;
  readonly playbook: string;
  readonly asked: Pick<
    Extract<Entry, { readonly kind: 'asked' }>,
    'address' | 'destination' | 'digest' | 'until'
  >;
}

/** The record of an answer. */
export function answerTo(
  { run, playbook, asked }: AskedIn,
  { verdict, at, comment }: Pick<AnswerRecord, 'verdict' | 'at' | 'comment'>,
): AnswerRecord {
  const { address: step, destination: account, digest, until } = asked;
  const said = { verdict, at, ...(comment !== undefined && { comment }) };
  return { version: 1, run, step, digest, playbook, account, until, ...said };
}

/** Why a record is not an answer to a question; undefined if it is. */
export function notAbout(
  { run, asked }: AskedIn,
  { run: named, step, digest, account, until }: AnswerRecord,
): { readonly passed: string } | { readonly broken: string } | undefined {
  if (named !== run) return { passed: `it is for run ${named}, not ${run}` };
  if (step !== asked.address) return { passed: `it is for step ${step}, not ${asked.address}` };
  if (!isDeepStrictEqual(account, asked.destination)) {
    return { broken: `it is for another account, ${account.profile} at ${account.host}` };
  }
  if (digest !== asked.digest || until !== asked.until) {
    return { broken: `it is for another question of ${asked.address}: what that showed differs` };
  }
  return undefined;
}

/** The answer in a signed text; undefined for any other. */
export function answerIn(body: string): AnswerRecord | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isAnswer(value) && !('plan' in value) ? value : undefined;
  } catch {
    return undefined; // the caller names the file
  }
}
