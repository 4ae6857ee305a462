/** Whether a plan, or a step of a run, has the approvals that are required: who signed, and whether they may. */
import { minute, type Millis } from '../../base/clock.ts';
import type { Plan } from '../plan/plan.ts';
import { isSigned, namespace, principalsOf } from './keygen.ts';
import type { Assertion } from './passkey/assertion.ts';
import { counterNote } from './passkey/counters.ts';
import { assertionProblem } from './passkey/signature.ts';
import { isPattern, readPeople, type People, type PeopleFiles } from './people.ts';
import { notAbout, type AskedIn } from './answer-record.ts';
import type { ApprovalRecord, SignedFile } from './record.ts';
import type { SshSignature } from './signature.ts';

/** The approvals a profile requires before a plan is run. */
export interface ApprovalRules extends PeopleFiles {
  /** The people whose approvals count. `other`: not an author of the playbook or the plan. */
  readonly by: 'other' | 'anyone';
  /** The number of required approvals. */
  readonly count: number;
  /** The people who may approve; default: all signers. */
  readonly of?: readonly string[];
  /** The time for which an approval is valid. */
  readonly lasts: Millis;
  /** Folder of the records; default: next to the runs. */
  readonly records?: string;
}

/** A person whose approval counts. */
export interface Signer {
  readonly who: readonly string[];
  /** Fingerprint of the key: `SHA256:…`, or `passkey SHA256:…`. */
  readonly key: string;
  readonly at: Millis;
  readonly file: string;
  readonly comment?: string;
}

export interface ApprovalCheck {
  readonly approved: readonly Signer[];
  readonly declined: readonly Signer[];
  /** Records that do not count, with reasons. */
  readonly passed: readonly { readonly file: string; readonly why: string }[];
  /** Records that were changed after signing: nothing runs while there is one. */
  readonly broken: readonly { readonly file: string; readonly why: string }[];
  /** Records that count but that a person should look at, with reasons. */
  readonly noted: readonly { readonly file: string; readonly why: string }[];
}

export interface ApprovalConditions {
  readonly rules: ApprovalRules;
  /** All authors of the playbook and the plan. */
  readonly authors: readonly string[];
  /** The time by this machine's clock. */
  readonly now: Millis;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Records to compare counters of passkeys with; default: none. */
  readonly others?: readonly SignedFile[];
}

/**
 * Checks every approval record of a plan.
 * @throws ConfigError for a file of passkeys that is missing or not valid
 */
export function checkApprovals(
  plan: Pick<Plan, 'id' | 'digest'>,
  records: readonly SignedFile[],
  conditions: ApprovalConditions,
): Promise<ApprovalCheck> {
  return checkRecords((signed) => saidOf(plan, signed), records, conditions);
}

/** Checks every answer to a step of a run. @throws as `checkApprovals` does */
export function checkAnswers(
  asked: AskedIn,
  records: readonly SignedFile[],
  conditions: ApprovalConditions,
): Promise<ApprovalCheck> {
  const said: SaidIn = ({ answer }) =>
    answer === undefined ? unknownVersion : (notAbout(asked, answer) ?? answer);
  return checkRecords(said, records, conditions);
}

/** The statement of a record about the subject in question, or why it is about another one. */
type SaidIn = (signed: SignedFile) => Said | Refused;

type Said = Pick<ApprovalRecord, 'verdict' | 'at' | 'expiresAt' | 'comment'>;

type Refused = { readonly passed: string } | { readonly broken: string };

const unknownVersion: Refused = { broken: 'it is not an approval of this version' };

function saidOf(
  { id, digest }: Pick<Plan, 'id' | 'digest'>,
  { record }: SignedFile,
): Said | Refused {
  if (record === undefined) return unknownVersion;
  if (record.plan !== id) return { passed: `it is for plan ${record.plan}, not ${id}` };
  if (record.digest === digest) return record;
  return { broken: `it is for another ${id}: the plan it names has digest ${record.digest}` };
}

async function checkRecords(
  saidIn: SaidIn,
  records: readonly SignedFile[],
  conditions: ApprovalConditions,
): Promise<ApprovalCheck> {
  const approved: Signer[] = [];
  const declined: Signer[] = [];
  const passed: { file: string; why: string }[] = [];
  const broken: { file: string; why: string }[] = [];
  const noted: { file: string; why: string }[] = [];
  const people = await readPeople(conditions.rules);
  for (const signed of records) {
    const found = await checkRecord(saidIn, signed, people, conditions);
    const { file } = signed;
    if ('note' in found && found.note !== undefined) noted.push({ file, why: found.note });
    if ('broken' in found) broken.push({ file, why: found.broken });
    else if ('passed' in found) passed.push({ file, why: found.passed });
    else if (found.verdict === 'decline') declined.push(found.signer);
    else if (approved.some((other) => isSame(other, found.signer))) {
      passed.push({ file, why: `${namesOf(found.signer)} has already approved it` });
    } else approved.push(found.signer);
  }
  return { approved, declined, passed, broken, noted };
}

type Found =
  | {
      readonly verdict: 'approve' | 'decline';
      readonly signer: Signer;
      readonly note: string | undefined;
    }
  | { readonly passed: string }
  | { readonly broken: string };

const clocksApart = 5 * minute; // allowed clock difference between two machines

async function checkRecord(
  saidIn: SaidIn,
  file: SignedFile,
  people: People,
  { rules, authors, now, env, others = [] }: ApprovalConditions,
): Promise<Found> {
  const { body, signature } = file;
  if (body === undefined || signature === undefined) {
    return { broken: 'it is not a signed text, or its signature was changed' };
  }
  const signed =
    signature.kind === 'ssh'
      ? await signedWithSsh(body, signature, rules, env)
      : signedWithPasskey({ ...file, body }, signature, people, others);
  if (!('principal' in signed)) return signed;
  const { principal, key, note } = signed;
  const who = people.namesOf(signed.who);
  const said = saidIn(file);
  if (!('verdict' in said)) return said;
  const { verdict, at, comment } = said;
  const signer = { who, key, at, file: file.file, ...(comment !== undefined && { comment }) };
  if (rules.of !== undefined && !overlaps(who, rules.of)) {
    return { passed: `${principal} is not among those who may approve` };
  }
  if (verdict === 'decline') return { verdict, signer, note };
  if (rules.by === 'other' && overlaps(who, authors)) {
    return { passed: `${principal} wrote it, and another person must approve` };
  }
  if (at > now + clocksApart) return { passed: 'it was signed in the future' };
  if (now > Math.min(said.expiresAt ?? Infinity, at + rules.lasts)) {
    return { passed: `the approval of ${principal} has expired` };
  }
  return { verdict, signer, note };
}

/** The signer of a text, or why the signature does not count. */
type Signed =
  | {
      readonly principal: string;
      readonly who: readonly string[];
      readonly key: string;
      readonly note?: string | undefined;
    }
  | { readonly passed: string }
  | { readonly broken: string };

async function signedWithSsh(
  body: string,
  signature: SshSignature,
  { signers }: ApprovalRules,
  env: ApprovalConditions['env'],
): Promise<Signed> {
  const { fingerprint: key } = signature;
  if (signature.namespace !== namespace) {
    return { broken: `it was signed for ${signature.namespace}, not for ${namespace}` };
  }
  const who = await principalsOf(signature, signers, env);
  const [principal] = who;
  if (principal === undefined) {
    return { passed: `it is signed with an unknown key, ${key}` };
  }
  if (who.some(isPattern)) {
    return { passed: `${key} represents ${principal}, which is a pattern and not a name` };
  }
  if (!(await isSigned(body, signature, { principal, signers, env }))) {
    const why = `it is not what ${principal} signed, or their key is not allowed now`;
    return { broken: `${why}: the text or the signature was changed, or the key has expired` };
  }
  return { principal, who, key };
}

function signedWithPasskey(
  { body, record, answer }: SignedFile & { readonly body: string },
  assertion: Assertion,
  { passkeys }: People,
  others: readonly SignedFile[],
): Signed {
  if (passkeys === undefined) {
    return { passed: 'it is signed with a passkey, and the profile names no file of passkeys' };
  }
  const passkey = passkeys.find(({ id }) => id === assertion.id);
  if (passkey === undefined) {
    return { passed: `it is signed with an unknown passkey, ${assertion.id.slice(0, 16)}` };
  }
  const { who: principal, fingerprint: key } = passkey;
  const problem = assertionProblem(assertion, body, passkey);
  if (problem !== undefined) {
    return { broken: `it is not an approval by the passkey of ${principal}: ${problem}` };
  }
  const at = record?.at ?? answer?.at;
  const note = at === undefined ? undefined : counterNote(assertion, at, { passkey, others });
  return { principal, who: [principal], key, note };
}

/** Whether two people share a name or a key. */
function isSame(a: Signer, b: Signer): boolean {
  return a.key === b.key || overlaps(a.who, b.who);
}

/** Whether two lists share a name; addresses are case-insensitive. */
function overlaps(a: readonly string[], b: readonly string[]): boolean {
  const names = new Set(b.map((name) => name.toLowerCase()));
  return a.some((name) => names.has(name.toLowerCase()));
}

export function namesOf({ who: [first = ''] }: Signer): string {
  return first;
}
