/** A journal that grows is read from where it ended; anything else is read as a whole. */
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { JournalError } from '../../../src/engine/journal/error.ts';
import { growingRun, readFileFrom } from '../../../src/engine/journal/growing-run.ts';
import { putMark } from '../../../src/engine/journal/high-water.ts';
import { readJournal } from '../../../src/engine/journal/journal.ts';
import { journalPath, readHeader, readRun } from '../../../src/engine/journal/runs.ts';
import { openOverviews } from '../../../src/report/overview/overviews.ts';
import { doneRun } from '../../support/entries.ts';
import { recordRun } from '../../support/recorded.ts';

/** A run with its first entries, and a reader that says what it read. */
async function runOf(first: number) {
  const stateDir = mkdtempSync(join(tmpdir(), 'growing-'));
  onTestFinished(() => rmSync(stateDir, { recursive: true }));
  const run = await recordRun(stateDir, doneRun());
  const path = journalPath(stateDir, run);
  const text = readFileSync(path, 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => `${line}\n`);
  const { playbook, createdAt } = await readHeader(stateDir, run);
  const { seq, link } = readJournal(lines.slice(0, first).join(''), path).state;
  writeFileSync(path, lines.slice(0, first).join(''));
  await putMark(stateDir, { run, playbook, createdAt }, { seq, link, end: seq });
  const reads: number[] = [];
  const growing = growingRun(stateDir, run, async (from, offset) => {
    const found = await readFileFrom(from, offset);
    if (offset !== Infinity) reads.push(found?.bytes.length ?? -1);
    return found;
  });
  const same = async (): Promise<void> =>
    expect(await growing.entries()).toEqual(await readRun(stateDir, run));
  return { stateDir, run, path, lines, reads, growing, same };
}

test('only what was appended is read', async () => {
  const { path, lines, reads, same } = await runOf(3);
  await same();
  for (const line of lines.slice(3)) {
    appendFileSync(path, line);
    await same();
  }
  await same();
  expect(lines.length).toBeGreaterThan(5);
  expect(reads).toEqual([...lines.slice(3).map((line) => Buffer.byteLength(line)), 0]);
});

test('a line that is torn anywhere counts when it is whole', async () => {
  const { path, lines, growing, same } = await runOf(3);
  await same();
  const next = Buffer.from(lines[3] ?? '');
  for (const at of [1, 20, next.length - 1]) {
    writeFileSync(
      path,
      Buffer.concat([Buffer.from(lines.slice(0, 3).join('')), next.subarray(0, at)]),
    );
    await same();
    expect(await growing.entries()).toHaveLength(3);
  }
  writeFileSync(path, lines.slice(0, 5).join(''));
  await same();
  expect(await growing.entries()).toHaveLength(5);
});

test('a journal that is replaced by another file is read as a whole', async () => {
  const { path, lines, reads, growing, same } = await runOf(3);
  await same();
  const before = reads.length;
  writeFileSync(`${path}.new`, lines.slice(0, 4).join('').replace('{', '['));
  renameSync(`${path}.new`, path);
  await expect(growing.entries()).rejects.toBeInstanceOf(JournalError);
  expect(reads.length).toBe(before + 1);
  writeFileSync(`${path}.new`, lines.slice(0, 4).join(''));
  renameSync(`${path}.new`, path);
  await same();
});

test('a journal that became shorter than its mark is damaged, as for every reader', async () => {
  const { path, lines, growing, same } = await runOf(3);
  await same();
  writeFileSync(path, lines.slice(0, 2).join(''));
  await expect(growing.entries()).rejects.toThrow('were on the disk and are missing');
  writeFileSync(path, lines.slice(0, 4).join(''));
  await same();
});

test('a change without growth, and lines that do not continue the chain, are found', async () => {
  const { path, lines, growing, same } = await runOf(3);
  await same();
  const text = lines.slice(0, 3).join('');
  writeFileSync(path, text.replace(/"seq":2/, '"seq":9'));
  await expect(growing.entries()).rejects.toBeInstanceOf(JournalError);
  writeFileSync(path, text);
  await same();
  appendFileSync(path, `${lines[4] ?? ''}${lines[5] ?? ''}`); // without the one between
  await expect(growing.entries()).rejects.toBeInstanceOf(JournalError);
  writeFileSync(path, text);
  await same();
  writeFileSync(path, 'x'.repeat(text.length + 1)); // which looks like a torn line from there on
  await expect(growing.entries()).rejects.toBeInstanceOf(JournalError);
});

test('a run that was followed is verified as a whole when it ends', async () => {
  const { stateDir, run, path, lines } = await runOf(3);
  const overviews = openOverviews(stateDir);
  for (let length = 3; length < lines.length; length++) {
    writeFileSync(path, lines.slice(0, length).join(''));
    const found = await overviews.read(run);
    expect(found).toMatchObject({ kind: 'read', overview: { seq: length, isOpen: true } });
    expect(await overviews.entries(run)).toHaveLength(length);
  }
  const changed = lines.join('').replace('"seq":2', '"seq":9');
  writeFileSync(path, changed);
  expect(await overviews.read(run)).toMatchObject({ kind: 'damaged' });
  writeFileSync(path, lines.join(''));
  expect(await overviews.read(run)).toMatchObject({ kind: 'read', overview: { isOpen: false } });
});
