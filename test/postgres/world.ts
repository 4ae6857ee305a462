/** The world of the contract over a real server. */
import type { Millis } from '../../src/base/clock.ts';
import type { SharedRuns } from '../../src/stores/shared/shared-runs.ts';
import { openPostgres } from '../../src/stores/postgres/runs.ts';
import { upgradePostgres } from '../../src/stores/postgres/upgrade.ts';
import { openOutputs } from '../../src/stores/postgres/output.ts';
import { openRetention } from '../../src/stores/postgres/retention.ts';
import { lease } from '../stores/shared/contract.ts';
import type { OutputsWorld } from '../stores/shared/outputs-contract.ts';
import type { RetentionWorld } from '../stores/shared/retention-contract.ts';
import { login, startPostgres, type PostgresServer } from './server.ts';

/** A server with tables. */
export async function preparedServer(): Promise<PostgresServer> {
  const server = await startPostgres();
  await upgradePostgres(server.url());
  return server;
}

/** Instead of the clock of the server, the times in a database are moved. */
export async function advanceIn(server: PostgresServer, name: string, ms: Millis): Promise<void> {
  const back = (column: string): string => `${column} = ${column} - interval '${ms} milliseconds'`;
  const runs = ['lease', 'ended', 'taken'].map(back).join(', ');
  const history = ['since', 'until'].map(back).join(', ');
  await server.sql(`update deskhand.run set ${runs}; update deskhand.history set ${history}`, name);
}

export async function postgresWorld(): Promise<RetentionWorld & OutputsWorld> {
  const server = await preparedServer();
  return {
    connect: (): SharedRuns => openPostgres({ url: server.url(), lease }),
    outputs: () => openOutputs({ url: server.url(), lease }),
    retention: () => openRetention({ url: server.url(), lease }),
    advance: (ms) => advanceIn(server, login.database, ms),
    close: () => server.stop(),
  };
}
