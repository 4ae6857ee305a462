/** The audit log: bounded, and whole across its files. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { second, standingClock } from '../../../src/base/clock.ts';
import { auditPath, openAudit, readAudit } from '../../../src/serve/server/audit.ts';
import { startOfRuns } from '../../support/tape.ts';
import { served } from './desk.ts';

const limits = { file: 2_000, files: 3 };

function logIn() {
  const stateDir = mkdtempSync(join(tmpdir(), 'audit-'));
  onTestFinished(() => rmSync(stateDir, { recursive: true }));
  const clock = standingClock(startOfRuns);
  const audit = openAudit(stateDir, clock, limits);
  const folder = dirname(auditPath(stateDir));
  return {
    stateDir,
    folder,
    names: () => readdirSync(folder).toSorted(),
    /** Without an end. */
    log: (what: string) => audit.asked({ who: 'ann', from: '127.0.0.1', what }),
    write: async (what: string) => {
      clock.advance(second);
      const id = await audit.asked({ who: 'ann', from: '127.0.0.1', what });
      await audit.answered(id, 200, '');
    },
  };
}

test('a full file is kept beside the next one, and each action is listed with its end', async () => {
  const { stateDir, names, write } = logIn();
  const all = Array.from({ length: 20 }, (_, at) => `action ${at}`);
  for (const what of all) await write(what);
  expect(names().length).toBeGreaterThan(2);
  const { rows, damaged } = await readAudit(stateDir);
  expect([rows.map(({ what }) => what), damaged]).toEqual([all, 0]);
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set([200]));
});

test('it does not grow beyond its bound, and loses the oldest actions only', async () => {
  const { stateDir, folder, names, write } = logIn();
  for (let at = 0; at < 200; at++) await write(`action ${at}`);
  const sizes = names().map((name) => statSync(join(folder, name)).size);
  expect(names()).toHaveLength(limits.files + 1);
  expect(Math.max(...sizes)).toBeLessThan(limits.file + 1_000); // the line that filled it
  const { rows, damaged } = await readAudit(stateDir);
  expect(damaged).toBe(0); // also when the line before an end was removed
  expect(rows.at(-1)?.what).toBe('action 199');
  const first = 200 - rows.length;
  expect(rows.map(({ what }) => what)).toEqual(rows.map((_, at) => `action ${first + at}`));
});

test('only its own files are removed', async () => {
  const { folder, names, write } = logIn();
  await write('first');
  for (const name of ['sessions.json', 'audit-copy.ndjson', 'audit-2026.ndjson']) {
    writeFileSync(join(folder, name), 'kept');
  }
  for (let at = 0; at < 100; at++) await write(`action ${at}`);
  expect(names()).toEqual(
    expect.arrayContaining(['sessions.json', 'audit-copy.ndjson', 'audit-2026.ndjson']),
  );
});

test.each([
  ['in a file that is continued', 0],
  ['at the end of a full file', limits.file],
])('a line that was cut off hides no other: %s', async (_where, padding) => {
  const { stateDir, names, write } = logIn();
  await write('before');
  appendFileSync(auditPath(stateDir), `{"version":1,${' '.repeat(padding)}`); // a full disk, a crash
  await write('after');
  await write('last');
  expect(names()).toHaveLength(padding === 0 ? 1 : 2);
  const { rows, damaged } = await readAudit(stateDir);
  expect([rows.map(({ what, status }) => [what, status]), damaged]).toEqual([
    [
      ['before', 200],
      ['after', 200],
      ['last', 200],
    ],
    1,
  ]);
});

test('actions at the same time are listed in their order, and none is lost between two files', async () => {
  const { stateDir, names, log } = logIn();
  const all = Array.from({ length: 20 }, (_, at) => `action ${at}`);
  await Promise.all(all.map((what) => log(what)));
  expect(names().length).toBeGreaterThan(1);
  const { rows, damaged } = await readAudit(stateDir);
  expect([rows.map(({ what }) => what), damaged]).toEqual([all, 0]);
});

test('a file that becomes full while the log is read is read once', async () => {
  for (let step = 0; step < 12; step++) {
    const { stateDir, folder, write } = logIn();
    await write('first');
    await write('second');
    const reading = readAudit(stateDir);
    for (let waited = 0; waited < step; waited++) await setImmediate();
    renameSync(auditPath(stateDir), join(folder, 'audit-20261121T021500.000Z-5b0c3f1d.ndjson'));
    appendFileSync(auditPath(stateDir), '');
    const { rows, damaged } = await reading;
    expect([step, rows.map(({ what }) => what), damaged]).toEqual([step, ['first', 'second'], 0]);
  }
});

test('a line that was cut off at the start of a file is counted also beside a full file', async () => {
  const { stateDir, folder, write } = logIn();
  await write('first');
  renameSync(auditPath(stateDir), join(folder, 'audit-20261121T021500.000Z-5b0c3f1d.ndjson'));
  writeFileSync(auditPath(stateDir), '{"version":1,');
  const { rows, damaged } = await readAudit(stateDir);
  expect([rows.map(({ what }) => what), damaged]).toEqual([['first'], 1]);
});

test('a line that could not be written prevents no other', async () => {
  const { stateDir, folder, log } = logIn();
  mkdirSync(auditPath(stateDir), { recursive: true });
  await expect(log('first')).rejects.toThrow();
  rmSync(folder, { recursive: true });
  await log('second');
  expect((await readAudit(stateDir)).rows.map(({ what }) => what)).toEqual(['second']);
});

test('what is asked is one short line without control characters', async () => {
  const { stateDir, log } = logIn();
  await log(`\u001b[31mred\r\n{"kind":"asked"}\u2028${'x'.repeat(2_000)}`);
  const [row] = (await readAudit(stateDir)).rows;
  expect(row?.what).toMatch(/red/);
  expect(row?.what).not.toMatch(/[\p{Cc}\u2028]/u);
  expect(row?.what.length).toBeLessThanOrEqual(501);
});

test('an end without its beginning is damage, unless the file before it was removed', async () => {
  const { stateDir, folder } = logIn();
  mkdirSync(folder, { recursive: true });
  const end = { version: 1, kind: 'answered', id: 'a', at: 0, status: 200, result: '' };
  writeFileSync(auditPath(stateDir), `${JSON.stringify(end)}\n`);
  expect(await readAudit(stateDir)).toEqual({ rows: [], damaged: 1 });
  writeFileSync(join(folder, 'audit-20261121T021500.000Z-5b0c3f1d.ndjson'), '');
  expect(await readAudit(stateDir)).toEqual({ rows: [], damaged: 0 });
});

test('requests of people who are not signed in do not fill it', async () => {
  const { post, stateDir, links } = await served();
  const stranger = { cookie: '' };
  expect((await post('/session', { token: 'wrong' }, stranger)).status).toBe(401);
  expect((await post('/session/end', {}, stranger)).status).toBe(401);
  expect((await post('/session', { token: links.link() }, stranger)).status).toBe(200);
  expect((await readAudit(stateDir)).rows).toEqual([]);
  expect((await post('/session/end', {})).status).toBe(200);
  expect((await readAudit(stateDir)).rows).toMatchObject([{ who: 'ann', status: 200 }]);
});
