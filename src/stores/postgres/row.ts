/** About thirty years, in milliseconds: a longer time, or an infinite one, is shown and counted as that long.
 */
const longest = '1e12';

/** Milliseconds until a time; negative when it is over. Postgres cannot subtract infinite times. */
export function msUntil(time: string): string {
  return `case when isfinite(${time})
    then least(greatest(ceil(extract(epoch from ${time} - clock_timestamp()) * 1000), -${longest}), ${longest})
    when ${time} > clock_timestamp() then ${longest} else -${longest} end::float8`;
}

/** Milliseconds since a time, at least 0: a clock may have been set back. */
export function msSince(time: string): string {
  return `greatest(0, -(${msUntil(time)}))`;
}

/**
 * Condition that a lease or a delay is over. One that lasts absurdly long counts as over, too: it was stored
 * before the clock of the database was set back, or by another program, and would never end.
 * @param length of the leases that the asking process stores, in SQL
 */
export function isOver(time: string, length: string): string {
  return `(${time} < clock_timestamp()
    or ${time} > clock_timestamp() + greatest(interval '1 day', 2 * ${length}))`;
}

/** Columns of the table `run`, as a KnownRun. */
export const runColumns = `
  id as run, playbook, plan, accounts, host, owner, nonce, since_ms::float8 as since,
  ${msUntil('lease')} as left,
  ended is not null as "isEnded", reported as "isReported", lines, incarnation,
  taken_in as "takenIn", pruned is not null as "isPruned"`;

/** Condition of a run with an account that has no id, only a key. */
export const isUnidentified = `jsonb_path_exists(accounts, '$[*] ? (!exists(@.alias))')`;

/** A list in a row, without nulls, which another program may have written for a text. */
export function textsIn(texts: readonly unknown[]): readonly string[] {
  return texts.filter((each) => typeof each === 'string');
}
