/** A desk over a real Restate server, with the service as a process. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { second, systemClock } from '../../src/base/clock.ts';
import type { Ending } from '../../src/stores/queue.ts';
import { openRestateQueue } from '../../src/stores/restate/queue.ts';
import { StoreError } from '../../src/stores/store.ts';
import { begin, folderWith } from '../cli/deskhand.ts';
import { startSandbox } from '../cli/sandbox.ts';
import { deskOver, type Desk } from '../postgres/desk.ts';
import { freePort } from '../support/free-port.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { RestateServer } from './server.ts';

export interface RestateDesk extends Desk {
  /** Nodes of one cluster. */
  readonly servers: readonly [RestateServer, ...RestateServer[]];
  readonly service: ServiceProcess;
}

export interface RestateDeskOptions {
  /** `brief` where a test waits for its end; default: longer than any pause of a busy machine. */
  readonly lease?: string;
  /** Default: one node. */
  readonly starting?: Promise<RestateDesk['servers']>;
}

/** A lease that a test waits for. A third of it is the time limit of each call. */
export const brief = '3s';

export async function restateDesk({
  lease = '1m',
  starting = RestateServer.start().then((one) => [one]),
}: RestateDeskOptions = {}): Promise<RestateDesk> {
  const [servers, exchange, service] = await Promise.all([
    starting,
    startSandbox(),
    ServiceProcess.start(),
  ]);
  const [{ admin }] = servers;
  const state = `{ store: restate, url: { env: DESK_RESTATE }, service: "${service.url}", admin: "${admin}", lease: ${lease} }`;
  const url = servers.map((server) => server.url).join(',');
  return { servers, service, ...(await deskOver(exchange, state, { DESK_RESTATE: url })) };
}

/** How a queued run ended, whatever happens to the servers meanwhile. */
export async function endOf({ reviewer }: RestateDesk, run: string): Promise<Ending> {
  const url = reviewer['DESK_RESTATE'] ?? '';
  const queue = openRestateQueue({ url, lease: 3 * second });
  try {
    for (;;) {
      const state = await queue.find(run).catch(unanswered);
      if (state?.ending !== undefined) return state.ending;
      await systemClock.sleep(100);
    }
  } finally {
    await queue.close();
  }
}

function unanswered(error: unknown): undefined {
  if (error instanceof StoreError) return undefined;
  throw error;
}

/** `deskhand store serve`, which may be killed and started again. */
export class ServiceProcess {
  readonly #port: number;
  #child: ChildProcessWithoutNullStreams | undefined;

  private constructor(port: number) {
    this.#port = port;
    afterEachTest(() => this.kill());
  }

  static async start(): Promise<ServiceProcess> {
    const service = new ServiceProcess(await freePort());
    await service.begin();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async begin(): Promise<void> {
    const child = begin(['store', 'serve', '--listen', `127.0.0.1:${this.#port}`], {
      cwd: folderWith({}),
    });
    this.#child = child;
    let said = '';
    child.stdout.resume();
    child.stderr.on('data', (part) => (said += String(part)));
    while (!said.includes('serving at')) {
      if (child.exitCode !== null) throw new Error(`store serve ended: ${said}`);
      await once(child.stderr, 'data');
    }
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
