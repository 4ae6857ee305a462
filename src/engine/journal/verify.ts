/** Whether a journal is unchanged: every line, and the relations between lines. */
import { sha256 } from '../../base/json.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import type { Entry } from './entry.ts';
import { differenceIn, isChanged } from './header.ts';
import type { Mark } from './high-water.ts';
import { chainStart, DamagedRecordError, readRecord } from './record.ts';
import type { RunText } from './runs.ts';

/** A difference between a journal and what was written. */
export interface Finding {
  /** Line of the journal, from 1. */
  readonly line: number;
  readonly message: string;
}

/** An entry with its line. */
export interface Numbered {
  readonly line: number;
  readonly entry: Entry;
}

export interface Verified {
  readonly findings: readonly Finding[];
  /** The entries of complete lines. */
  readonly entries: readonly Numbered[];
}

/**
 * Verifies a journal, and continues after damage so that all of it is found at once. Reads and changes
 * no file.
 */
export function verifyJournal({ header, text, mark }: RunText): Verified {
  const { entries, findings } = verifyLines(text);
  const [first] = entries;
  const foreign = first && first.line === 1 ? differenceIn(header, first.entry) : undefined;
  const said = [
    ...(foreign === undefined ? [] : [{ line: 1, message: foreign }]),
    ...(isChanged(header) ? [{ line: 1, message: 'its header was changed' }] : []),
    ...(mark === undefined ? [] : missingAfter(entries, mark)),
    ...playbookFindings(entries),
    ...intentFindings(entries),
  ];
  return { entries, findings: [...findings, ...said].sort((a, b) => a.line - b.line) };
}

/** Entries that were on the disk and are missing. */
function missingAfter(entries: readonly Numbered[], { seq, end }: Mark): Finding[] {
  const { line, entry } = entries.at(-1) ?? { line: 0, entry: undefined };
  const last = entry?.seq ?? 0;
  if (last >= Math.max(seq, end)) return [];
  const rest = last >= seq ? '; none of them is a write, and resume repeats them' : '';
  const message = `entries up to ${Math.max(seq, end)} were on the disk and are missing${rest}`;
  return [{ line: line + 1, message }];
}

/** The intact lines, and the problems of the others. */
export function verifyLines(text: string): Verified {
  const findings: Finding[] = [];
  const entries: Numbered[] = [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  // Unknown after a damaged line: then the next line is accepted and determines the following ones.
  let expected: { readonly seq: number; readonly prev: string } | undefined = {
    seq: 1,
    prev: chainStart,
  };
  for (const [index, content] of lines.entries()) {
    const line = index + 1;
    try {
      const { entry, prev, link } = readRecord(content);
      if (expected !== undefined && entry.seq !== expected.seq) {
        findings.push({ line, message: `it is entry ${entry.seq}, not ${expected.seq}` });
      } else if (expected !== undefined && prev !== expected.prev) {
        findings.push({ line, message: 'it does not follow the line before' });
      }
      entries.push({ line, entry });
      expected = { seq: entry.seq + 1, prev: link };
    } catch (error) {
      if (!(error instanceof DamagedRecordError)) throw error;
      findings.push({ line, message: error.message });
      expected = undefined;
    }
  }
  if (lines.length === 0) findings.push({ line: 1, message: 'no complete line' });
  if (last !== '') {
    const message = 'the last line has no end: the process crashed while writing it';
    findings.push({ line: lines.length + 1, message });
  }
  return { findings, entries };
}

/** The stored playbooks of a run must match their digests. */
function playbookFindings(entries: readonly Numbered[]): Finding[] {
  return entries.flatMap(({ line, entry }) => {
    if (entry.kind !== 'started') return [];
    const { playbook } = entry;
    return [playbook, ...(playbook.includes ?? [])]
      .filter(({ text, digest }) => sha256(text) !== digest)
      .map(({ file }) => ({ line, message: `the text of ${file} has another digest` }));
  });
}

/** Reports writes with a response, and attempts, that have no intent: every one must have it. */
function intentFindings(entries: readonly Numbered[]): Finding[] {
  const attempts = new Map<string, number>();
  return entries.flatMap(({ line, entry }) => {
    if (entry.kind === 'intended') {
      const before = attempts.get(entry.address) ?? 0;
      attempts.set(entry.address, entry.attempt);
      if (entry.attempt === before + 1) return [];
      const message = `attempt ${entry.attempt} of ${entry.address} follows attempt ${before}`;
      return [{ line, message }];
    }
    if (entry.kind !== 'answered' || operationOf(entry.operation).effect === 'read') return [];
    if (attempts.has(entry.address)) return [];
    return [{ line, message: `${entry.address} has a response, but no record of being sent` }];
  });
}
