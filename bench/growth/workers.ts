/** The load of many accounts and workers on one database, from what each order and call costs. */

export interface Costs {
  /** Of an order: CPU of its worker and of the server, commits, rows and bytes of lines. */
  readonly workerMs: number;
  readonly serverMs: number;
  readonly commits: number;
  readonly rows: number;
  readonly bytes: number;
  /** Commits per second of a worker without a job, and its connections while it works. */
  readonly idleCommits: number;
  readonly connections: number;
  readonly calls: Readonly<Record<string, { readonly ms: number; readonly cpuMs: number }>>;
  /** Bytes of a row with its indexes, by table. */
  readonly tables: Readonly<Record<string, number>>;
}

export interface Size {
  readonly accounts: number;
  readonly workers: number;
}

export const sizes: readonly Size[] = [
  { accounts: 10, workers: 2 },
  { accounts: 100, workers: 5 },
  { accounts: 300, workers: 15 },
  { accounts: 1_000, workers: 50 },
];

/** Of each row when the sizes of the tables were measured. */
export const textBytes = 640;
const paceOfAccount = 10; // orders per second, the limit of the exchange
const runningMeasured = 1_000; // runs in progress when the calls were measured
const ordersOfRun = 50;
const readsOfStart = 5; // of its own lines, before and after it is taken, and of the run before it

/** At the peak, when every account sends as much as the exchange permits; and for each day. */
export function loadOf(
  { accounts, workers }: Size,
  costs: Costs,
  ordersADay: number,
): Readonly<Record<string, number>> {
  const orders = accounts * paceOfAccount;
  const starts = orders / ordersOfRun; // of runs, each of which fetches what was done on its account
  const call = (name: string): number => costs.calls[name]?.cpuMs ?? NaN;
  const found = call('find runs of an account') + call('check a playbook');
  const read = readsOfStart * call('read a run') + 2 * call('find a claim');
  const start = found + read + call('take a run') + call('queue a job');
  const idleMs =
    workers * costs.idleCommits * call('look for a job') * (accounts / runningMeasured);
  const rows = accounts * ordersADay * costs.rows;
  const overhead = (costs.tables['lines'] ?? NaN) - textBytes;
  return {
    accounts,
    workers,
    'orders/s': orders,
    'cores of all workers': round((orders * costs.workerMs) / 1000),
    'cores for orders': round((orders * costs.serverMs) / 1000),
    'cores for starts': round((starts * start) / 1000),
    'cores for polling': round(idleMs / 1000),
    'commits/s': Math.round(orders * costs.commits + workers * costs.idleCommits),
    connections: workers * costs.connections,
    'MB/s of lines': round((orders * costs.bytes) / 1e6),
    'rows a day': Math.round(rows),
    'GB a day': round((accounts * ordersADay * costs.bytes + rows * overhead) / 1e9),
  };
}

const round = (value: number): number => Number(value.toPrecision(2));
