/** Verification of a whole journal: all findings at once, each with its line. */
import { describe, expect, test } from 'vitest';
import type { Entry, Event } from '../../../src/engine/journal/entry.ts';
import { chainStart, encodeRecord } from '../../../src/engine/journal/record.ts';
import type { RunHeader } from '../../../src/engine/journal/header.ts';
import { verifyJournal } from '../../../src/engine/journal/verify.ts';
import { started } from '../../support/desk-setup.ts';
import { doneRun, resumedRun, stoppedRun } from '../../support/entries.ts';

const destination = { profile: 'sandbox', target: 'sandbox', host: 'in-process' } as const;

const header: RunHeader = {
  run: 'r-1',
  playbook: 'desk-setup',
  destination,
  createdAt: 1,
  program: 'deskhand 0',
};

/** The lines of these entries, properly chained. */
function linesOf(entries: readonly (Event | Entry)[]): string[] {
  let prev = chainStart;
  return entries.map((event, index) => {
    const at = 'at' in event ? event.at : index;
    const { line, link } = encodeRecord({ ...event }, { seq: index + 1, at, prev });
    prev = link;
    return line;
  });
}

function findings(lines: readonly string[], of: Partial<RunHeader> = {}): string[] {
  const text = lines.join('');
  const report = verifyJournal({ header: { ...header, ...of }, path: 'journal.ndjson', text });
  return report.findings.map(({ line, message }) => `${line}: ${message}`);
}

const answered = (address: string): Event => ({
  kind: 'answered',
  address,
  operation: 'futures/place-order',
  attempt: 1,
  ms: 1,
  status: 200,
  code: '00000',
});

const intended = (address: string, attempt: number): Event => ({
  kind: 'intended',
  address,
  operation: 'futures/place-order',
  input: {},
  identity: address,
  attempt,
  signedAt: 1,
});

const start = started('r-1', destination);

describe('a journal is verified', () => {
  test.each([
    ['done', doneRun],
    ['stopped', stoppedRun],
    ['resumed', resumedRun],
  ])('the journal of a run that was %s is intact', (_name, make) => {
    const entries = make();
    const [first] = entries;
    if (first?.kind !== 'started') throw new Error('no start');
    const of = { run: first.run, destination: first.destination };
    expect(findings(linesOf(entries), of)).toEqual([]);
  });

  test('damage in several lines is found at once, and later lines are still read', () => {
    const lines = linesOf([
      start,
      intended('a', 1),
      answered('a'),
      answered('b'),
      intended('c', 2),
    ]);
    lines[1] = lines[1]?.replace('"a"', '"z"') ?? '';
    expect(findings(lines)).toEqual([
      '2: wrong checksum',
      '3: a has a response, but no record of being sent',
      '4: b has a response, but no record of being sent',
      '5: attempt 2 of c follows attempt 0',
    ]);
  });

  test('a line removed, duplicated or inserted breaks the chain', () => {
    const lines = linesOf([start, intended('a', 1), answered('a')]);
    const [one = '', two = '', three = ''] = lines;
    expect(findings([one, three])[0]).toBe('2: it is entry 3, not 2');
    expect(findings([one, two, two, three])[0]).toBe('3: it is entry 2, not 3');
    const [, other = ''] = linesOf([started('r-2', destination), intended('a', 1)]);
    expect(findings([one, other, three])).toEqual([
      '2: it does not follow the line before',
      '3: it does not follow the line before',
    ]);
  });

  test('a torn end, an empty journal, another run, another playbook text are found', () => {
    const lines = linesOf([start, intended('a', 1)]);
    expect(findings([lines[0] ?? '', (lines[1] ?? '').slice(0, 30)])).toEqual([
      '2: the last line has no end: the process crashed while writing it',
    ]);
    expect(findings([])).toEqual(['1: no complete line']);
    expect(findings(lines, { run: 'r-2' })).toEqual(['1: is of run r-1, not of r-2']);
    if (start.kind !== 'started') throw new Error('no start');
    const edited = { ...start, playbook: { ...start.playbook, text: 'playbook: 1' } };
    expect(findings(linesOf([edited]))).toEqual([
      '1: the text of playbooks/desk-setup.yaml has another digest',
    ]);
  });
});
