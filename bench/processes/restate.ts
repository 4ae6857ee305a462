/** A Restate server, and the service of the built program beside it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { upgradeRestate } from '../../src/stores/restate/upgrade.ts';
import { freePort } from '../../test/support/free-port.ts';
import { RestateServer } from '../../test/restate/server.ts';
import { deskhand } from './desk.ts';

export interface RunningRestate {
  readonly server: RestateServer;
  readonly service: string;
  /** Seconds of CPU of both so far. */
  cpu(): number;
  close(): Promise<void>;
}

export async function startRestate(): Promise<RunningRestate> {
  const [server, port] = [await RestateServer.start(), await freePort()];
  const words = [deskhand, 'store', 'serve', '--listen', `127.0.0.1:${port}`];
  const serving = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  await once(serving.stderr, 'data'); // it listens
  const service = `http://127.0.0.1:${port}`;
  await upgradeRestate({ url: server.url, admin: server.admin, service });
  return {
    server,
    service,
    cpu: () => cpuOf(server.pid) + cpuOf(serving.pid),
    close: async () => {
      serving.kill('SIGKILL');
      await server.kill();
    },
  };
}

const ticks = 100; // of the kernel, in a second

function cpuOf(pid: number | undefined): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}
