/** Takes a run with its accounts in one transaction. */
import { sha256 } from '../../base/json.ts';
import { forgotOf } from '../shared/forgotten.ts';
import { blockedBy, namesOf, unreportedOf, usedBy, type KnownRun } from '../shared/known-run.ts';
import type { Blocked, Taken, TakeRequest } from '../shared/shared-runs.ts';
import type { Database, Query } from './database.ts';
import { meet } from './incarnation.ts';
import { runColumns } from './row.ts';

export function take(database: Database, request: TakeRequest): Promise<Taken | Blocked> {
  const names = namesOf(request);
  return database.transaction(async (query) => {
    await query(lockNames, [lockKeys(request, names)]);
    const history = await meet(query, request.now);
    const incarnation = history.at(-1)?.incarnation ?? '';
    const rows = await query<KnownRun>(findRuns, [request.run, names, request.plan ?? null]);
    const own = rows.find(({ run }) => run === request.run);
    const others = rows.filter((row) => row !== own && !row.isEnded);
    const blocked = usedBy(rows, request) ?? blockedBy(own, others, incarnation);
    if (blocked !== undefined) return blocked;

    // The remaining ones have sent nothing; from now on their processes can store nothing.
    const idle = others.map(({ run }) => run);
    if (idle.length > 0) await query(endIdle, [idle]);
    if (own !== undefined) await query(freeAccounts, [request.run]);
    const before = unreportedOf(own);
    const since = before?.since ?? request.now;
    const epoch = await takeRun(query, request, incarnation, since);
    await query(addAccounts, [request.run, names]);
    const forgot = forgotOf(history, own?.incarnation ?? undefined, request.now);
    return {
      kind: 'taken',
      holder: { run: request.run, epoch, incarnation, lease: request.lease },
      ...(before && { before }),
      ...(forgot && { forgot }),
    };
  });
}

/** The keys to lock, in ascending order, so that takes which wait for each other do not deadlock. */
function lockKeys({ run, plan }: TakeRequest, names: readonly string[]): readonly string[] {
  const texts = [`run ${run}`, ...(plan === undefined ? [] : [`plan ${plan}`])];
  for (const name of names) texts.push(`account ${name}`);
  const keys = texts.map((text) => BigInt.asIntN(64, BigInt(`0x${sha256(text).slice(0, 16)}`)));
  return keys.toSorted((a, b) => (a < b ? -1 : 1)).map(String);
}

async function takeRun(
  query: Query,
  request: TakeRequest,
  incarnation: string,
  since: number,
): Promise<number> {
  const { run, playbook, plan = null, accounts, host, owner, nonce, lease, now } = request;
  const json = [JSON.stringify(accounts), JSON.stringify(owner)];
  const times = [Math.floor(since), Math.floor(now)];
  const values = [run, playbook, plan, ...json, host, nonce, ...times, incarnation, lease];
  const [row] = await query<{ epoch: number }>(insertRun, values);
  return row?.epoch ?? 0;
}

const lockNames = {
  name: 'deskhand_take_lock',
  text: 'select pg_advisory_xact_lock(key) from unnest($1::bigint[]) as key',
};

/** Finds the runs and locks their rows: nothing is stored in these runs until the take is decided. */
const findRuns = {
  name: 'deskhand_take_find',
  text: `
    select ${runColumns}
    from deskhand.run
    where id = any(array(
      select $1
      union select run from deskhand.account where name = any($2)
      union select id from deskhand.run where plan = $3))
    order by id for update`,
};

const endIdle = {
  name: 'deskhand_take_end_idle',
  text: 'update deskhand.run set ended = clock_timestamp() where id = any($1)',
};

const freeAccounts = {
  name: 'deskhand_take_free',
  text: 'delete from deskhand.account where run = $1',
};

const insertRun = {
  name: 'deskhand_take_run',
  text: `
    insert into deskhand.run as run (id, playbook, plan, accounts, owner, host, nonce, since_ms,
      taken_ms, taken, taken_in, reported, epoch, lease)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp(), $10, false, 1,
      clock_timestamp() + $11 * interval '1 millisecond')
    on conflict (id) do update set playbook = excluded.playbook,
      plan = coalesce(excluded.plan, run.plan), accounts = excluded.accounts,
      owner = excluded.owner, host = excluded.host, nonce = excluded.nonce,
      since_ms = excluded.since_ms, taken_ms = excluded.taken_ms, taken = excluded.taken,
      taken_in = excluded.taken_in, reported = false, ended = null, epoch = run.epoch + 1,
      lease = excluded.lease
    returning epoch`,
};

const addAccounts = {
  name: 'deskhand_take_accounts',
  text: `
    insert into deskhand.account (run, name) select $1, name from unnest($2::text[]) as name
    on conflict (name) do update set run = excluded.run`,
};
