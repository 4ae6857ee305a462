/** The world of the contracts over a real server, with the service in this process. */
import {
  minute,
  standingClock,
  systemClock,
  type Clock,
  type Millis,
} from '../../src/base/clock.ts';
import type { RestateOptions } from '../../src/stores/restate/desk.ts';
import { openRestateOutputs } from '../../src/stores/restate/output.ts';
import { openRestateRetention } from '../../src/stores/restate/retention.ts';
import { openRestate } from '../../src/stores/restate/runs.ts';
import { serve, type Service } from '../../src/stores/restate/serve.ts';
import { upgradeRestate } from '../../src/stores/restate/upgrade.ts';
import { lease } from '../stores/shared/contract.ts';
import type { OutputsWorld } from '../stores/shared/outputs-contract.ts';
import type { RetentionWorld } from '../stores/shared/retention-contract.ts';
import { RestateServer } from './server.ts';

/** The system's clock, moved. */
export interface MovedClock extends Clock {
  advance(ms: Millis): void;
}

export function movedClock(): MovedClock {
  const ahead = standingClock(0);
  return {
    ...systemClock,
    now: () => systemClock.now() + ahead.now(),
    monotonic: () => systemClock.monotonic() + ahead.monotonic(),
    advance: (ms) => ahead.advance(ms),
  };
}

export interface Prepared<Time extends Clock = MovedClock> {
  readonly server: RestateServer;
  readonly service: Service;
  /** Of the handlers. */
  readonly clock: Time;
  close(): Promise<void>;
}

/** A server that knows the service, with a clock that the test moves. */
export const preparedServer = (): Promise<Prepared> => serverWith(movedClock());

/** A server that knows the service. @param clock of the handlers */
export async function serverWith<Time extends Clock>(clock: Time): Promise<Prepared<Time>> {
  const server = await RestateServer.start();
  const problems: string[] = [];
  const service = await serve({
    host: '127.0.0.1',
    port: 0,
    clock,
    onProblem: (message) => problems.push(message),
  });
  await upgradeRestate({
    url: server.url,
    admin: server.admin,
    service: `http://127.0.0.1:${service.port}`,
  });
  return {
    server,
    service,
    clock,
    close: async () => {
      await server.kill();
      await service.close();
    },
  };
}

/** Nobody waits for the end of a call: a busy machine may take long. */
export function optionsOf({ server, clock }: Prepared): RestateOptions & { readonly clock: Clock } {
  return { url: server.url, lease, clock, timeoutMs: minute };
}

export async function restateWorld(): Promise<OutputsWorld & RetentionWorld> {
  const prepared = await preparedServer();
  const { clock } = prepared;
  const at = optionsOf(prepared);
  return {
    connect: () => openRestate(at),
    outputs: () => openRestateOutputs(at),
    retention: () => openRestateRetention(at),
    advance: async (ms) => clock.advance(ms),
    close: () => prepared.close(),
  };
}
