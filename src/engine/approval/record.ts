/** A person's signed decision about a plan, in its own file. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '../../base/folder.ts';
import { readableJson, sha256 } from '../../base/json.ts';
import {
  choice,
  exactly,
  integer,
  optional,
  record,
  text,
  type Infer,
} from '../../exchange/api/schema.ts';
import type { OwnKind } from '../../base/own-file.ts';
import { readRegular } from '../../base/read-file.ts';
import { replaceOwnFile } from '../journal/file.ts';
import { destinationSchema, millis } from '../journal/shared-schema.ts';
import type { Plan } from '../plan/plan.ts';
import { answerIn, type AnswerRecord } from './answer-record.ts';
import { keyNameOf, partsOf, type Signature } from './signed-text.ts';
import { shapeCheck } from '../../exchange/api/check.ts';

/** The JSON above the signature: it names the reviewed plan, and the digest binds all of that plan. */
export const approvalSchema = record({
  version: exactly(1),
  verdict: choice(['approve', 'decline']),
  plan: text({ pattern: '^p-[0-9a-f]{8}$' }),
  digest: text({ description: 'Digest of the plan' }),
  playbook: text(),
  account: destinationSchema,
  create: integer(),
  set: integer(),
  orders: integer(),
  notional: text({ description: 'Total value of its orders' }),
  at: millis('Time of signing, by the clock of the person’s machine'),
  /** The end of the approval; absent for a decline, which never expires. */
  expiresAt: optional(millis('End of its validity')),
  comment: optional(text()),
});

export type ApprovalRecord = Infer<typeof approvalSchema>;

const isApproval = shapeCheck(approvalSchema);

/** The record of a decision about a plan. */
export function recordOf(
  { id, digest, playbook, destination, totals }: Plan,
  said: Pick<ApprovalRecord, 'verdict' | 'at' | 'expiresAt' | 'comment'>,
): ApprovalRecord {
  const { create, set, orders, notional } = totals;
  const { verdict, at, expiresAt, comment } = said;
  return {
    version: 1,
    verdict,
    plan: id,
    digest,
    playbook: playbook.name,
    account: destination,
    create,
    set,
    orders,
    notional,
    at,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(comment !== undefined && { comment }),
  };
}

/** The text of a record that is signed. */
export function bodyOf(said: ApprovalRecord): string {
  return readableJson(said);
}

/** A record as stored in a file; undefined parts if the file is not a record. */
export interface SignedFile {
  readonly file: string;
  /** The whole text of the file, if it was read. */
  readonly text?: string;
  readonly body?: string;
  readonly signature?: Signature;
  readonly record?: ApprovalRecord;
  /** The answer to a step of a run, if it is one. */
  readonly answer?: AnswerRecord;
}

/** A signed record with all its parts. */
export type SignedRecord = SignedFile & Required<Pick<SignedFile, 'body' | 'signature' | 'record'>>;

const ending = '.approval';

/** Writes a record. @returns the path of its file */
export async function writeRecord(
  folder: string,
  said: ApprovalRecord,
  signature: Signature,
  path?: string,
): Promise<string> {
  const key = sha256(keyNameOf(signature)).slice(0, 8);
  const file = path ?? join(folder, `${said.plan}-${said.verdict}-${key}${ending}`);
  await makeFolders(dirname(file));
  await replaceOwnFile(file, `${bodyOf(said)}${signature.armoured}`, recordFile, 0o600);
  return file;
}

/** A signed record from any signer. */
export const recordFile: OwnKind = {
  name: 'a signed record',
  isOurs: (text) => {
    const { body = '' } = partsOf(text) ?? {};
    return recordIn(body) !== undefined || answerIn(body) !== undefined;
  },
};

/** Writes an answer to a step of a run. @returns the path of its file */
export async function writeAnswer(
  folder: string,
  said: AnswerRecord,
  signature: Signature,
  path?: string,
): Promise<string> {
  const key = sha256(`${keyNameOf(signature)} ${said.step}`).slice(0, 8);
  const file = path ?? join(folder, `${said.run}-${said.verdict}-${key}${ending}`);
  await makeFolders(dirname(file));
  await replaceOwnFile(file, answerText(said, signature), recordFile, 0o600);
  return file;
}

/** The text of an answer with its signature. */
export function answerText(said: AnswerRecord, signature: Signature): string {
  return `${readableJson(said)}${signature.armoured}`;
}

/** The approval records of a plan, or of a run, in a folder, by name. */
export async function recordsIn(folder: string, plan: string): Promise<readonly SignedFile[]> {
  const names = await readdir(folder).catch(() => []); // no record exists yet
  const own = names.filter((name) => name.startsWith(`${plan}-`) && name.endsWith(ending));
  return Promise.all(own.sort().map((name) => readRecord(join(folder, name))));
}

/** Every record of a folder. */
export async function everyRecord(folder: string): Promise<readonly SignedFile[]> {
  const names = await readdir(folder).catch(() => []); // no record exists yet
  const records = names.filter((name) => name.endsWith(ending)).sort();
  return Promise.all(records.map((name) => readRecord(join(folder, name))));
}

export async function readRecord(file: string): Promise<SignedFile> {
  return signedIn(await readRegular(file), file);
}

/** The parts of a record in a file. */
export function signedIn(bytes: Buffer, file: string): SignedFile {
  const text = bytes.toString('utf8');
  const parts = Buffer.from(text).equals(bytes) ? partsOf(text) : undefined;
  if (parts === undefined) return { file, text };
  const said = recordIn(parts.body);
  const answer = said === undefined ? answerIn(parts.body) : undefined;
  return { file, text, ...parts, ...(said && { record: said }), ...(answer && { answer }) };
}

/** The record in a signed text; undefined for any other. */
export function recordIn(body: string): ApprovalRecord | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isApproval(value) ? value : undefined;
  } catch {
    return undefined; // the caller names the file
  }
}
