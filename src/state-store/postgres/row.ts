/** Columns of the table `run`, as a KnownRun. */
export const runColumns = `
  id as run, playbook, plan, accounts, host, owner, nonce, since_ms::float8 as since,
  ceil(extract(epoch from lease - clock_timestamp()) * 1000)::float8 as left,
  ended is not null as "isEnded", reported as "isReported", lines, incarnation,
  taken_in as "takenIn", pruned is not null as "isPruned"`;

/** Condition of a run with an account that has no id, only a key. */
export const isUnidentified = `jsonb_path_exists(accounts, '$[*] ? (!exists(@.alias))')`;
