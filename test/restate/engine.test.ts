/** The shared store over a real server as a backend of the engine, each place with a desk. */
import { afterAll, beforeAll } from 'vitest';
import { openRestate } from '../../src/stores/restate/runs.ts';
import type { SharedRuns } from '../../src/stores/shared/shared-runs.ts';
import { backendContract } from '../engine/runtime/contract.ts';
import { sharedBackend } from '../engine/runtime/shared-backend.ts';
import { lease } from '../stores/shared/machines.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { forgetIn } from './forget.ts';
import { optionsOf, preparedServer, type Prepared } from './world.ts';

let prepared: Prepared;
let count = 0;
const connected: SharedRuns[] = [];

beforeAll(async () => {
  prepared = await preparedServer();
});
afterAll(() => prepared.close());
afterEachTest(() => Promise.all(connected.splice(0).map((runs) => runs.close())));

backendContract(
  sharedBackend('Restate', async () => {
    const { server, clock } = prepared;
    const desk = `place-${++count}`;
    let hasForgotten = false;
    return {
      connect: () => {
        const runs = openRestate({ ...optionsOf(prepared), url: `${server.url}/${desk}`, lease });
        connected.push(runs);
        return {
          ...runs,
          take: async (request) => {
            // A person reports it before anything runs: the server does not notice.
            if (hasForgotten) await runs.restored(request.now);
            hasForgotten = false;
            return runs.take(request);
          },
        };
      },
      advance: async (ms) => clock.advance(ms),
      forget: async (run, lines) => {
        hasForgotten = true;
        await forgetIn(server, desk, run, lines);
      },
    };
  }),
);
