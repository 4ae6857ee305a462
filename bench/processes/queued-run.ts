/** Two machines with a queued run of a ladder over Postgres, whose first worker was started. */
import { upgradePostgres } from '../../src/stores/postgres/upgrade.ts';
import { Machine, type Life, type Site } from '../../test/postgres/machine.ts';
import { startPostgres, type PostgresServer } from '../../test/postgres/server.ts';
import { deskhand, ladder, openDesk, type Desk } from './desk.ts';

export const lowest = 10_001; // the price of the first order

/** Each order is canceled at once: an account may have 400 open ones. */
export const largeLadder = (items: number): string =>
  ladder(`range ${lowest} ${lowest + items - 1}`, '{}').replace(
    'orderType: limit',
    'orderType: limit, force: ioc',
  );

export interface QueuedRun {
  readonly desk: Desk;
  readonly server: PostgresServer;
  readonly site: Site;
  readonly one: Machine;
  readonly two: Machine;
  /** The worker of `one`. */
  readonly worker: Life;
}

/**
 * @param lease such as `4s`
 * @param before stores what is there before the run is planned
 */
export async function queuedRun(
  text: string,
  lease: string,
  before?: (site: Site) => Promise<void>,
): Promise<QueuedRun> {
  const [desk, server] = await Promise.all([openDesk('[1]'), startPostgres()]);
  await upgradePostgres(server.url());
  const { DESKHAND_STATE_DIR: _own, ...env } = desk.env;
  const { folder, baseUrl, controlUrl, uid } = desk;
  const site = { folder, launcher: deskhand, server, baseUrl, controlUrl, uid, env, lease };
  await before?.(site);
  const one = await Machine.open(site, 'one', text, 0);
  const two = await Machine.open(site, 'two', text, 0);
  for (const words of [
    ['plan', 'ladder.yaml', '--out', 'plan.json'],
    ['run', 'plan.json', '--queue'],
  ]) {
    const { code, stderr } = await one.begin(words).end;
    if (code !== 0) throw new Error(stderr);
  }
  return { desk, server, site, one, two, worker: one.begin(['worker']) };
}
