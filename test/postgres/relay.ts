/** A TCP relay on loopback that can swallow what passes it, both ways and without a reset. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export class Relay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** What arrived since `cut`. */
  readonly #swallowed: (() => void)[] = [];
  /** Whether it swallows what passes; each connection has the one of its time. */
  #state = { isCut: false };

  private constructor(target: number) {
    this.#server = createServer({ allowHalfOpen: true }, (client) => {
      const server = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
      for (const socket of [client, server]) this.#sockets.add(socket);
      this.#forward(client, server, this.#state);
      this.#forward(server, client, this.#state);
    });
  }

  static async to(target: number): Promise<Relay> {
    const relay = new Relay(target);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** From now on nothing passes, and nobody notices. */
  cut(): void {
    this.#state.isCut = true;
  }

  /** Whether something was swallowed. */
  get hasSwallowed(): boolean {
    return this.#swallowed.length > 0;
  }

  /** New connections pass; those that were cut stay so. */
  renew(): void {
    this.#state = { isCut: false };
  }

  /** Delivers what was swallowed, as retransmissions do. */
  deliver(): void {
    for (const deliver of this.#swallowed.splice(0)) deliver();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #forward(from: Socket, to: Socket, state: { readonly isCut: boolean }): void {
    const pass = (deliver: () => void): void => {
      if (state.isCut) this.#swallowed.push(deliver);
      else deliver();
    };
    from.on('data', (bytes) => pass(() => void (to.destroyed || to.write(bytes))));
    from.on('end', () => pass(() => void to.end()));
    from.on('error', () => pass(() => void to.destroy()));
  }
}
