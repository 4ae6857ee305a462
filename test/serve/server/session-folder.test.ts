/** Sessions of several servers in one folder: none is lost, and none that ended returns. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { day, second, standingClock } from '../../../src/base/clock.ts';
import { sha256 } from '../../../src/base/json.ts';
import { openSessions } from '../../../src/serve/server/link-sessions.ts';
import { sessionFolder } from '../../../src/serve/server/session-folder.ts';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'sessions-'));
const until = Date.UTC(2100, 0);

test('sessions that begin at two servers at the same instant are both there', async () => {
  const stateDir = newFolder();
  const clock = standingClock(0);
  const servers = ['ann', 'ben', 'cleo'].map((who) => openSessions(stateDir, who, clock));
  const secrets = await Promise.all(servers.map((server) => server.exchange(server.link())));
  for (const server of servers) {
    expect(secrets.map((secret) => server.find(secret ?? '')?.who)).toEqual(['ann', 'ben', 'cleo']);
  }
});

test('whatever servers do at the same time, a session is there until it has ended', async () => {
  const action = fc.record({
    server: fc.nat(2),
    session: fc.nat(5),
    kind: fc.constantFrom('begin', 'end'),
  });
  const rounds = fc.array(fc.array(action, { minLength: 1, maxLength: 6 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      const folder = newFolder();
      const servers = [0, 1, 2].map(() => sessionFolder(folder, 100));
      const begun = new Set<string>();
      const ended = new Set<string>();
      for (const [round, actions] of all.entries()) {
        const known = [...begun];
        await Promise.all(
          actions.map(async ({ server, session, kind }, at) => {
            const own = servers[server];
            if (kind === 'begin') {
              const digest = sha256(`${round} ${at}`);
              await own?.begin(digest, { who: 'ann', role: 'approver', until }, 0);
              begun.add(digest);
            } else {
              const digest = known[session];
              if (digest === undefined) return;
              ended.add(digest);
              await own?.end(digest);
            }
          }),
        );
        const restarted = sessionFolder(folder, 100);
        for (const server of [...servers, restarted]) {
          const found = [...begun].filter((digest) => server.find(digest) !== undefined);
          expect(found).toEqual([...begun].filter((digest) => !ended.has(digest)));
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('at most a hundred are kept, the oldest end first, and expired ones are removed', async () => {
  const stateDir = newFolder();
  const clock = standingClock(0);
  const server = openSessions(stateDir, 'ann', clock);
  const begin = async (): Promise<string> => (await server.exchange(server.link())) ?? '';
  const secrets: string[] = [];
  for (let n = 0; n < 102; n++) {
    clock.advance(second);
    secrets.push(await begin());
  }
  const kept = secrets.filter((secret) => server.find(secret) !== undefined);
  expect(kept).toEqual(secrets.slice(2));
  clock.advance(7 * day);
  await begin();
  expect(readdirSync(join(stateDir, 'serve', 'sessions'))).toHaveLength(1);
});

test('a damaged file is no session, and files of others are left', async () => {
  const folder = newFolder();
  const digest = sha256('a');
  const file = join(folder, `${digest}.json`);
  const sessions = sessionFolder(folder, 100);
  const session = { who: 'ann', role: 'approver', until } as const;
  for (const text of [
    '',
    '{',
    '[]',
    JSON.stringify({ version: 2, ...session }),
    JSON.stringify({ version: 1, ...session, role: 'root' }),
    JSON.stringify({ version: 1, ...session, until: '2100' }),
  ]) {
    writeFileSync(file, text);
    expect([text, sessions.find(digest)]).toEqual([text, undefined]);
  }
  writeFileSync(file, JSON.stringify({ version: 1, ...session }));
  expect(sessions.find(digest)).toEqual(session);
  writeFileSync(join(folder, 'notes.txt'), 'kept');
  mkdirSync(join(folder, 'more'));
  await sessions.begin(sha256('b'), session, 0);
  expect(readdirSync(folder).toSorted()).toEqual(
    [`${digest}.json`, `${sha256('b')}.json`, 'more', 'notes.txt'].toSorted(),
  );
});

test('a session ends here even if its file cannot be removed', async () => {
  const folder = newFolder();
  const sessions = sessionFolder(folder, 100);
  const digest = sha256('a');
  await sessions.begin(digest, { who: 'ann', role: 'approver', until }, 0);
  expect(sessions.find(digest)).toBeDefined();
  rmSync(join(folder, `${digest}.json`));
  mkdirSync(join(folder, `${digest}.json`));
  await expect(sessions.end(digest)).rejects.toThrow();
  expect(sessions.find(digest)).toBeUndefined();
});
