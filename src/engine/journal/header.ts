/** The header of a run's folder: the facts that are known about a run before its journal is read. */
import type { Millis } from '../../base/clock.ts';
import { digestOf, isRecord, readableJson } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import type { Destination, Entry } from './entry.ts';
import { JournalError, NewerFormatError } from './error.ts';
import { targets } from './shared-schema.ts';

/** Version of run folders: their headers, their entries and the order of these. */
export const journalFormat = 1;

/** The facts that are known about a run before its journal is read. */
export interface RunHeader {
  readonly run: string;
  readonly playbook: string;
  readonly destination: Destination;
  /** The other accounts of the run, and its main account under other keys used by a resume. */
  readonly accounts?: readonly Destination[];
  readonly createdAt: Millis;
  readonly program: string;
  /** Digest of the rest; absent in headers of earlier versions. */
  readonly seal?: string;
}

/** How the first line differs from the header; undefined when they belong to one run. */
export function differenceIn(header: RunHeader, first: Entry): string | undefined {
  if (first.kind !== 'started') return 'does not start with the start of a run';
  if (first.run !== header.run) return `is of run ${first.run}, not of ${header.run}`;
  const { name } = first.playbook;
  if (name !== header.playbook) return `is of playbook ${name}, not of ${header.playbook}`;
  const { profile, target, host, keyFingerprint = 'none', accountId } = first.destination;
  const then = header.destination;
  const isSame =
    profile === then.profile &&
    target === then.target &&
    host === then.host &&
    keyFingerprint === (then.keyFingerprint ?? 'none') &&
    accountId === then.accountId;
  return isSame
    ? undefined
    : `belongs to another account: ${profile} on ${host}, key ${keyFingerprint}`;
}

/** @throws NewerFormatError for the header of a newer version, and JournalError for anything else but a header */
export function headerOf(value: unknown, path: string): RunHeader {
  if (!isRecord(value)) throw new JournalError(`${path} is damaged`);
  const { format } = value;
  if (typeof format === 'number' && format > journalFormat) {
    throw new NewerFormatError(path, { format, known: journalFormat });
  }
  if (format !== journalFormat) {
    const found = plainText(JSON.stringify(format ?? 'none'), 80);
    throw new JournalError(`${path} has format ${found}; this version reads ${journalFormat}`);
  }
  if (!isHeader(value)) throw new JournalError(`${path} is damaged`);
  return value;
}

function isHeader(value: unknown): value is RunHeader {
  return (
    isRecord(value) &&
    typeof value['run'] === 'string' &&
    typeof value['playbook'] === 'string' &&
    typeof value['createdAt'] === 'number' &&
    typeof value['program'] === 'string' &&
    isDestination(value['destination']) &&
    (value['accounts'] === undefined || isDestinations(value['accounts']))
  );
}

function isDestinations(value: unknown): boolean {
  return Array.isArray(value) && value.every(isDestination);
}

export function isDestination(value: unknown): value is Destination {
  return (
    isRecord(value) &&
    typeof value['profile'] === 'string' &&
    targets.some((target) => target === value['target']) &&
    typeof value['host'] === 'string' &&
    ['string', 'undefined'].includes(typeof value['keyFingerprint']) &&
    ['string', 'undefined'].includes(typeof value['accountId'])
  );
}

/** The text of a header as stored, with a digest of all of it. */
export function headerText(header: RunHeader): string {
  const { seal: _earlier, ...fields } = { format: journalFormat, ...header };
  return readableJson({ ...fields, seal: digestOf(fields) });
}

/** Whether a header was changed after it was written. Every field counts: a run is found by its playbook. */
export function isChanged(header: RunHeader): boolean {
  const { seal, ...fields } = header;
  return seal !== undefined && seal !== digestOf(fields);
}
