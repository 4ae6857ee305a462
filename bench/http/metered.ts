/** A server in its own process whose CPU time can be asked for. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

export interface Metered {
  readonly baseUrl: string;
  /** Microseconds of CPU the process has used, on all its threads. */
  cpu(): Promise<number>;
  close(): Promise<void>;
}

const meter = new URL('meter.mjs', import.meta.url).href;

/**
 * @param args of node, the program first
 * @param addressOf waits until the server listens
 */
export async function metered(
  args: readonly string[],
  addressOf: (child: ChildProcess) => Promise<string>,
): Promise<Metered> {
  const child = spawn(process.execPath, ['--import', meter, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const baseUrl = await addressOf(child);
  return {
    baseUrl,
    cpu: async () => {
      child.send('cpu');
      const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage];
      return user + system;
    },
    close: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}
