/** A record that was signed elsewhere: by a passkey in a browser, or on another machine. */
import { isDeepStrictEqual } from 'node:util';
import { recordOf, signedIn, type SignedRecord } from '../../engine/approval/record.ts';
import { plainText } from '../../base/text.ts';
import { ApprovalError } from '../../engine/approval/approval-error.ts';
import type { Decision } from './decision.ts';

/** A signed record as it was read, before its plan is known. */
export interface GivenRecord {
  /** The name of the record in messages. */
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Takes over a signed record of this decision. Whether its signature counts is checked when it is saved.
 * @throws ApprovalError for another decision, another plan, or other numbers than the plan has
 */
export function signedElsewhere(
  { name, bytes }: GivenRecord,
  { verdict, plan }: Decision,
): SignedRecord {
  const { body, signature, record } = signedIn(bytes, name);
  if (body === undefined || signature === undefined || record === undefined) {
    throw refused(name, 'is not a signed record');
  }
  if (record.verdict !== verdict) throw refused(name, `is a record to ${record.verdict} a plan`);
  if (record.plan !== plan.id || record.digest !== plan.digest) {
    throw refused(
      name,
      `is about plan ${plainText(record.plan, 40)}, and this is ${plan.id} with other contents`,
    );
  }
  if (!isDeepStrictEqual(record, recordOf(plan, record))) {
    throw refused(name, `has other numbers than plan ${plan.id}`);
  }
  return { file: name, body, signature, record };
}

function refused(name: string, why: string): ApprovalError {
  return new ApprovalError(`${name} ${why}`, 'review the plan again, and sign a new record');
}
