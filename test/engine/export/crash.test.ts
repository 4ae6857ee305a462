import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeDocument } from '../../../src/engine/export/document.ts';
import { verifyFile } from '../../../src/engine/export/verify.ts';
import type { Row } from '../../../src/exchange/api/listing.ts';
import { writeRows } from '../../../src/engine/export/rows.ts';
import { mortalDisk } from '../../support/disks.ts';
import { origin } from '../../support/origin.ts';

let workspace: string;
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'deskhand-crash-'));
});
afterEach(() => rm(workspace, { recursive: true }));

async function* rowsOf(first: number): AsyncGenerator<Row> {
  for (let at = 0; at < 3; at++) yield { id: String(first - at), note: 'n'.repeat(30_000) };
}

const writing = (first: number, disk = mortalDisk(Infinity, 'after')) =>
  writeRows({
    workspace,
    file: 'rows.csv',
    format: 'csv',
    unique: ['id'],
    sort: ['id'],
    rows: () => rowsOf(first),
    origin: () => origin,
    disk,
  });

const final = () => readFile(join(workspace, 'rows.csv'), 'utf8').catch(() => undefined);

async function empty(): Promise<void> {
  for (const name of await readdir(workspace)) await rm(join(workspace, name));
}

async function actsOfOneWrite(): Promise<number> {
  const disk = mortalDisk(Infinity, 'after');
  await writing(10, disk);
  return disk.acts();
}

describe.each(['before', 'after'] as const)('crashing %s any disk action', (when) => {
  test('leaves no file or the complete file where there was none', async () => {
    const acts = await actsOfOneWrite();
    const whole = await final();
    for (let last = 1; last <= acts; last++) {
      await empty();
      await expect(writing(10, mortalDisk(last, when))).rejects.toThrow();
      expect([undefined, whole]).toContain(await final());
    }
    expect(acts).toBeGreaterThan(8);
  });

  test('leaves the earlier file or the new one, and verify never accepts a wrong pair', async () => {
    const acts = await actsOfOneWrite();
    const later = await final();
    await writing(20);
    const earlier = await final();
    for (let last = 1; last <= acts + 1; last++) {
      await empty();
      await writing(20);
      await writing(10, mortalDisk(last, when)).catch(() => undefined);
      const found = await final();
      expect([earlier, later]).toContain(found);
      const { kind } = await verifyFile(join(workspace, 'rows.csv'));
      expect(['whole', 'unproved']).toContain(kind);
      // Repeating the export after the crash leaves only the temporary files of the crashed process.
      await writing(10);
      expect(await final()).toBe(later);
      expect(await verifyFile(join(workspace, 'rows.csv'))).toMatchObject({ kind: 'whole' });
    }
  });
});

test('leaves only hidden files named after the target', async () => {
  await expect(writing(10, mortalDisk(6, 'before'))).rejects.toThrow();
  const names = await readdir(workspace);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names)
    expect(name).toMatch(/^\.rows\.csv(\.manifest\.json)?\.[0-9a-z]{10}\.(part|run)$/);
});

test('a document is absent or complete after a crash at any action', async () => {
  for (const last of [1, 2, 3, 4, 5]) {
    await empty();
    const text = '<p>page</p>';
    const disk = mortalDisk(last, 'before');
    await writeDocument({ workspace, file: 'page.html', text, disk }).catch(() => undefined);
    const found = await readFile(join(workspace, 'page.html'), 'utf8').catch(() => undefined);
    expect([undefined, text]).toContain(found);
    expect(found === text).toBe(last > 4);
  }
});
