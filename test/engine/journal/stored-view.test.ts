/** What is made of the runs that only a store has is kept by groups: a worker asks for them several times a job. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endedKind } from '../../../src/engine/journal/ended-facts.ts';
import { headerText } from '../../../src/engine/journal/header.ts';
import type { StoredRow } from '../../../src/engine/journal/stored-facts.ts';
import { StoredView } from '../../../src/engine/journal/stored-view.ts';
import { cursorIn } from '../../../src/stores/shared/cursor.ts';
import { sandbox } from '../../support/desk-setup.ts';

const version = 1;

function rowOf(nth: number, playbook: string): StoredRow {
  const run = `r-${nth}`;
  const header = { run, playbook, destination: sandbox, createdAt: nth, program: 'deskhand 0.1.0' };
  const ended = { header: JSON.parse(headerText(header)), time: nth, at: nth };
  return { run, lines: 2, link: `l${nth}`, facts: { [endedKind]: ended } };
}

async function know(stateDir: string, rows: readonly StoredRow[]): Promise<void> {
  const known = await cursorIn(stateDir, 'database').read(version);
  await known.write({ cursor: 'c', rows, dropped: [], forgot: false });
}

async function folderOf(rows: readonly StoredRow[]): Promise<string> {
  const stateDir = mkdtempSync(join(tmpdir(), 'deskhand-stored-'));
  mkdirSync(join(stateDir, 'runs'));
  await know(stateDir, rows);
  return stateDir;
}

test('the newest runs are listed, and a header is made only of these, and once', async () => {
  const stateDir = await folderOf(
    Array.from({ length: 300 }, (_none, nth) => rowOf(nth, 'ladder')),
  );
  const listed = (): StoredView => {
    const view = new StoredView(stateDir);
    expect(view.list([])).toEqual([]);
    return view;
  };
  const { headers, count } = listed().newest(({ createdAt }) => createdAt < 299, 2);
  expect(headers.map(({ run }) => run)).toEqual(['r-298', 'r-297']);
  expect(count).toBe(299);
  expect(listed().rows()).toHaveLength(300);
  const [again] = listed()
    .newest(() => true, 2)
    .headers.slice(1);
  expect(again).toBe(headers[0]);
  await know(stateDir, [rowOf(300, 'ladder')]);
  expect(
    listed()
      .newest(() => true, 1)
      .headers.map(({ run }) => run),
  ).toEqual(['r-300']);
});

test('a single run is listed, and a run whose facts are of another shape must be read', async () => {
  const stateDir = await folderOf([rowOf(1, 'ladder')]);
  const view = new StoredView(stateDir);
  expect(view.list([])).toEqual([]);
  expect(view.rows()).toMatchObject([{ run: 'r-1', createdAt: 1, group: { playbook: 'ladder' } }]);
  const { run, lines, link } = rowOf(2, 'ladder');
  await know(stateDir, [
    { run, lines, link, facts: { [endedKind]: { header: {}, time: 2, at: 2 } } },
  ]);
  expect(new StoredView(stateDir).list([])).toContain('r-2');
});

test('a caller is asked once for all runs of a playbook on the same account', async () => {
  const playbooks = ['ladder', 'hedge'] as const;
  const stateDir = await folderOf(
    Array.from({ length: 200 }, (_none, nth) => rowOf(nth, playbooks[nth % 2] ?? '')),
  );
  const view = new StoredView(stateDir);
  expect(view.list(['r-199', 'r-new'])).toEqual([]); // these have folders here
  const asked: string[] = [];
  const looked: string[] = [];
  const notable = view.notable(
    ({ playbook }) => asked.push(playbook) > 0 && playbook === 'hedge',
    ({ run, createdAt }) => looked.push(run) > 0 && createdAt > 190,
  );
  expect(asked.toSorted()).toEqual(['hedge', 'ladder']);
  expect(looked).toHaveLength(99);
  expect(notable.map(({ run }) => run)).toEqual(['r-197', 'r-195', 'r-193', 'r-191']);
  const uses = view.uses().map(({ playbook, run, runs }) => [playbook, run, runs().length]);
  expect(uses).toEqual([
    ['ladder', 'r-198', 100],
    ['hedge', 'r-197', 99],
  ]);
});
