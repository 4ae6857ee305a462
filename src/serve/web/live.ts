/** Notices of changes. One tab of a browser follows the server's stream and passes notices to the
 * others: a browser has only six connections to a server. When that tab closes, another follows.
 */
import { signal } from '@preact/signals';
import type { EventOf, Routes } from '../server/routes/index.ts';
import { eventsPath } from './api.ts';

export type Notice = EventOf<Routes['GET /events']>;

/** Whether the stream is open. */
export const isLive = signal(true);

type Message =
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'state'; readonly isLive: boolean };

const listeners = new Set<(notice: Notice) => void>();
const name = 'deskhand-notices';

/** Adds a listener. @returns a function that removes it */
export function onNotice(listener: (notice: Notice) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function startLive(): void {
  if (typeof BroadcastChannel === 'undefined' || navigator.locks === undefined) {
    follow(receive);
    return;
  }
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data));
  void navigator.locks.request(name, () => {
    follow((message) => {
      receive(message);
      channel.postMessage(message);
    });
    return new Promise(() => undefined); // until the tab closes
  });
}

function receive(message: Message): void {
  if (message.kind === 'state') isLive.value = message.isLive;
  else for (const listener of listeners) listener(message.notice);
}

function follow(send: (message: Message) => void): void {
  const source = new EventSource(eventsPath);
  source.addEventListener('open', () => send({ kind: 'state', isLive: true }));
  source.addEventListener('error', () => send({ kind: 'state', isLive: false }));
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    send({ kind: 'notice', notice: JSON.parse(data) as Notice });
  });
}
