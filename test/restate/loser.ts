/** A relay on loopback before the ingress of a Restate server that can lose its answers. */
import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEachTest } from '../support/cleanup.ts';

export class Loser {
  readonly #server: Server;
  /**
   * Whether the answer of a call is lost, by its object and handler: it is carried out, and its connection
   * stays silent.
   */
  loses: (call: string) => boolean = () => false;

  private constructor(target: string) {
    this.#server = createServer((asked, answer) => {
      this.#pass(target, asked, answer).catch(() => answer.destroy());
    });
  }

  static async before(target: string): Promise<Loser> {
    const loser = new Loser(target);
    loser.#server.listen(0, '127.0.0.1');
    await once(loser.#server, 'listening');
    afterEachTest(() => {
      loser.#server.closeAllConnections();
      loser.#server.close();
    });
    return loser;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #pass(target: string, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method, url = '/', headers } = asked;
    const isLost = this.loses(url.replace(/^\/([^/]+)\/.*\/([^/]+)$/, '$1 $2'));
    const body = await buffer(asked);
    const passed = request(new URL(url, target), { method, headers }, (reply) => {
      if (isLost) {
        reply.resume();
        return;
      }
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    passed.end(body);
  }
}
