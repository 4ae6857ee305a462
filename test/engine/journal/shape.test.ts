/** Journals with valid checksums that deskhand did not write: the reader refuses them, or all that reads them is safe. */
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import { decisionsIn } from '../../../src/engine/journal/decisions.ts';
import { JournalError } from '../../../src/engine/journal/error.ts';
import { readJournal } from '../../../src/engine/journal/journal.ts';
import { ledgerFrom } from '../../../src/engine/journal/ledger.ts';
import { openWritesIn, takenOver } from '../../../src/engine/journal/possible.ts';
import { chainStart, frame, linkOf } from '../../../src/engine/journal/record.ts';
import { visibilitiesIn } from '../../../src/engine/journal/visibility.ts';
import { eventLine } from '../../../src/report/event-lines.ts';
import { runMarkdown } from '../../../src/report/markdown/run-comment.ts';
import { runReport } from '../../../src/report/page/page.ts';
import { summaryOf } from '../../../src/report/summary.ts';
import { spansOf } from '../../../src/report/telemetry/spans.ts';
import { approvedRun, doneRun, doubtRun, resumedRun, stoppedRun } from '../../support/entries.ts';

/** A value in an entry, and how to replace it. */
type Path = readonly (string | number)[];

const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as unknown;

/** In place of any value. */
const strange: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e17,
  1e300,
  '',
  'x',
  '\ud800',
  '\u202e',
  [],
  [null],
  {},
  { kind: 'x' },
  deep,
];

const tried = new Set<string>(); // in any of the runs

const runs = { doneRun, stoppedRun, doubtRun, resumedRun, approvedRun };

describe.each(Object.entries(runs))('%s', (_name, make) => {
  const entries = make();
  const { status } = summaryOf(entries);

  test('is read, or refused with its line, whatever a field is replaced with', () => {
    expect(readBy(textOf(entries))).toBe(status);
    const accepted = new Set<string>();
    for (const [index, entry] of entries.entries()) {
      for (const path of pathsIn(entry)) {
        // One of each kind of entry and outcome, and of each list.
        const { kind, outcome = { kind: '' } } = { outcome: undefined, ...entry };
        const same = `${kind} ${outcome.kind} ${path.map((key) => (/^\d+$/.test(String(key)) ? '*' : key)).join('.')}`;
        if (tried.has(same)) continue;
        tried.add(same);
        for (const value of strange) {
          const changed = entries.with(index, replaced(entry, path, value));
          const what = `${entry.kind} ${path.join('.')} as ${JSON.stringify(value)?.slice(0, 20)}`;
          let found: string;
          try {
            found = readBy(textOf(changed));
          } catch (error) {
            if (!(error instanceof JournalError)) throw new Error(what, { cause: error });
            expect(error.message, what).toMatch(/journal\.ndjson:\d+ is damaged/);
            continue;
          }
          accepted.add(what);
          if (status !== 'done') expect(found, what).not.toBe('done');
        }
      }
    }
    expect(accepted.size).toBeGreaterThan(0);
  });
});

test('a last line that is whole and is no entry is damage, and never cut off', () => {
  const entries = doneRun();
  for (const json of ['{"seq":', '{}', '{"seq":1}', `{"a":${JSON.stringify(deep)}}`]) {
    const text = textOf(entries) + frame(json);
    const line = entries.length + 1;
    expect(() => readJournal(text, 'journal.ndjson')).toThrow(`journal.ndjson:${line} is damaged`);
  }
});

test('an entry with fields that a later version adds is read', () => {
  const [started] = doneRun();
  const text = textOf(started ? [Object.assign(started, { later: { any: 'shape' } })] : []);
  expect(readJournal(text, '').entries).toHaveLength(1);
});

/** Everything that reads a run. @returns its status */
function readBy(text: string): string {
  const { entries } = readJournal(text, 'journal.ndjson');
  // `readRun` compares the first entry with the header.
  if (entries[0]?.kind !== 'started') throw new JournalError('journal.ndjson:1 is damaged');
  const { status } = summaryOf(entries);
  runReport(entries, { program: 'deskhand', contract: '' });
  runMarkdown(entries);
  spansOf(entries);
  decisionsIn(entries);
  openWritesIn(entries);
  visibilitiesIn(entries);
  takenOver(entries, { host: 'a', since: 0, until: 1 });
  ledgerFrom([{ run: 'r', entries }], { standingOf: () => 'same' });
  for (const entry of entries) eventLine(entry);
  return status;
}

/** With correct checksums, lengths, numbers and links. */
function textOf(entries: readonly Entry[]): string {
  let prev = chainStart;
  return entries
    .map((entry) => {
      const json = JSON.stringify({ ...entry, prev });
      prev = linkOf(json);
      return frame(json);
    })
    .join('');
}

/** Of every value of an entry except its place in the journal. */
function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  const inner =
    value !== null && typeof value === 'object'
      ? Object.entries(value).flatMap(([key, item]) =>
          path.length === 0 && key === 'seq' ? [] : pathsIn(item, [...path, key]),
        )
      : [];
  return path.length === 0 ? inner : [path, ...inner];
}

function replaced(entry: Entry, path: Path, value: unknown): Entry {
  const copy = structuredClone(entry) as unknown as Record<string, unknown>;
  let at: Record<string, unknown> = copy;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[path.at(-1) ?? ''] = value;
  return copy as unknown as Entry;
}
