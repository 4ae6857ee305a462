/** `GET /accounts` and doctor's findings: data of each profile that needs no key. */
import { targets } from '../../../engine/journal/shared-schema.ts';
import {
  choice,
  integer,
  list,
  optional,
  record,
  text,
  truth,
} from '../../../exchange/api/schema.ts';
import { plainText } from '../../../base/text.ts';
import type { Profile } from '../../../app/config/profile.ts';
import { guardResult } from '../../../engine/journal/guard-result.ts';
import { locksIn, wordFor, type NamedLock } from '../../../engine/journal/lock.ts';
import { leftWords, processOf, unlockCommand } from '../../../engine/journal/locked.ts';
import { keyUsesIn } from '../../../engine/journal/standing.ts';
import { driftRecords } from '../../../engine/plan/drift-record.ts';
import { summaryOf } from '../../../report/summary.ts';
import type { Desk } from '../desk.ts';
import { NotFoundError } from '../failure.ts';
import { exactRecord, noFields, parameter, reads } from '../route.ts';
import type { Selected } from '../run-filter.ts';
import type { RunRow } from '../run-row.ts';
import { moment } from '../shapes.ts';
import { placeNamed } from './schedules.ts';

const account = record({
  desk: text(),
  profile: text(),
  target: choice(targets),
  isInitial: truth,
  host: optional(text({ description: 'Absent for the built-in exchange' })),
  accountId: optional(text()),
  keys: list(
    record({
      fingerprint: text(),
      runs: integer({ minimum: 1, description: 'Runs that it signed' }),
      last: text({ description: 'The newest of them' }),
    }),
    { description: 'Keys that signed runs, the newest first' },
  ),
  guards: list(record({ name: text(), limit: text() })),
  used: optional(
    record({
      run: text(),
      guards: list(guardResult, { description: 'Guards count within one run' }),
    }),
  ),
  locks: list(record({ text: text(), command: optional(text()) })),
  drifts: list(
    record({
      playbook: text(),
      at: moment('When it was compared'),
      compared: integer({ minimum: 0 }),
      differences: integer({ minimum: 0 }),
    }),
  ),
});

export const accounts = reads({
  title: 'List accounts with their keys, guards, locks and last drift',
  role: 'viewer',
  parameters: noFields,
  answer: record({ accounts: list(account) }),
  handle: async (_request, { desks }) => {
    const all = await Promise.all(desks.map((desk) => accountsOf(desk)));
    return { accounts: all.flat() };
  },
});

export const findings = reads({
  title: 'Check an account as doctor does: clock, key, permissions, with small reads',
  role: 'operator',
  parameters: exactRecord({
    profile: parameter('The profile', 100),
    desk: optional(parameter('The desk, if several are served', 80)),
  }),
  answer: record({
    findings: list(
      record({
        what: text(),
        status: choice(['ok', 'warning', 'failure', 'unknown']),
        message: text(),
        fix: optional(text()),
      }),
    ),
  }),
  handle: async ({ parameters: { profile, desk } }, server) => {
    const place = placeNamed(server, desk);
    if (!place.desk.config.profiles.has(profile)) {
      throw new NotFoundError(`no profile ${plainText(profile, 60)}`);
    }
    const found = await place.services.findings(profile);
    return {
      findings: found.map(({ what, status, message, fix }) => ({
        what: plainText(what, 60),
        status,
        message: plainText(message, 500),
        ...(fix !== undefined && { fix: plainText(fix, 300) }),
      })),
    };
  },
});

type Account = NonNullable<(typeof account)['infer']>;

async function accountsOf(desk: Desk): Promise<readonly Account[]> {
  const { stateDir, profiles } = desk.config;
  const [keys, locks, drifts] = await Promise.all([
    keyUsesIn(stateDir),
    locksIn(stateDir),
    driftRecords(stateDir),
  ]);
  return Promise.all(
    [...profiles.values()].map(async (profile): Promise<Account> => {
      const { name, target, baseUrl, accountId, guards } = profile;
      const used = await lastUse(profile, desk);
      return {
        desk: desk.name,
        profile: plainText(name, 60),
        target,
        isInitial: name === desk.config.initial,
        ...(baseUrl && { host: plainText(baseUrl.host, 100) }),
        ...(accountId !== undefined && { accountId: plainText(accountId, 100) }),
        keys: keysOf(name, keys),
        guards: Object.entries(guards).map(([guard, limit]) => ({
          name: guard.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), // as in plans
          limit: plainText(Array.isArray(limit) ? limit.flat().join(', ') : String(limit), 300),
        })),
        ...(used && { used }),
        locks: [
          ...locks.filter((lock) => isOf(lock, name, desk)).map(lockView),
          ...claimsElsewhere(name, locks, desk),
        ],
        drifts: drifts
          .filter((each) => each.profile === name)
          .map(({ playbook, at, compared, differences }) => ({
            playbook: plainText(playbook, 80),
            at,
            compared,
            differences,
          })),
      };
    }),
  );
}

/** The keys of a profile, newest first. */
function keysOf(name: string, uses: Awaited<ReturnType<typeof keyUsesIn>>): Account['keys'] {
  const found = new Map<string, { last: string; runs: Set<string> }>();
  for (const { run = '', destination } of uses) {
    const { keyFingerprint, profile } = destination;
    if (keyFingerprint === undefined || profile !== name) continue;
    const key = found.get(keyFingerprint) ?? { last: run, runs: new Set() };
    key.runs.add(run);
    found.set(keyFingerprint, key);
  }
  return [...found].map(([fingerprint, { last, runs }]) => ({
    fingerprint: plainText(fingerprint, 40),
    runs: runs.size,
    last: plainText(last, 64),
  }));
}

/** The guard usage of the newest run of a profile that ended. */
async function lastUse({ name }: Profile, desk: Desk): Promise<Account['used']> {
  const row = lastEnded(desk.runs.select({ profile: name }));
  if (row === undefined) return undefined;
  const entries = await desk.entries(row.run).catch(() => []);
  if (entries.length === 0) return undefined;
  const { guards } = summaryOf(entries);
  return guards.length === 0 ? undefined : { run: row.run, guards };
}

function lastEnded({ length, state, row }: Selected): RunRow | undefined {
  for (let at = 0; at < length; at++) {
    const now = state(at);
    if (now === 'done' || now === 'stopped') return row(at);
  }
  return undefined;
}

/** Whether the holder of a profile's account lock is a run. */
function isOf({ record: held }: NamedLock, profile: string, { runs }: Desk): boolean {
  return held !== undefined && runs.row(held.holder)?.profile === profile;
}

/** Runs of other machines: their locks are not in this state folder. */
function claimsElsewhere(
  profile: string,
  locks: readonly NamedLock[],
  { claims }: Desk,
): Account['locks'] {
  const found = claims().filter(({ accounts: own, run }) => {
    const isHere = locks.some(({ record: held }) => held?.holder === run);
    return !isHere && own.some((each) => each.profile === profile);
  });
  return found.map(({ run, host, owner }) => {
    const pid = owner === undefined ? '' : `process ${owner.pid} on `;
    return { text: `${plainText(run, 60)} (${pid}${plainText(host, 80)}) is running` };
  });
}

function lockView(lock: NamedLock): Account['locks'][number] {
  const { record: held, life, name } = lock;
  const who = held === undefined ? name : `${plainText(held.holder, 60)} (${processOf(held)})`;
  switch (life.state) {
    case 'alive':
      return { text: `${who} is running` };
    case 'dead':
      return { text: `${who} ${leftWords(1)}` };
    case 'unknown':
      return {
        text: plainText(`${who} may be running: ${life.because}`, 300),
        command: unlockCommand(wordFor(lock)),
      };
  }
}
