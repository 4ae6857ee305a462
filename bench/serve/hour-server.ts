/**
 * The server of `bench/serve-hour.ts`: on a clock that moves when the bench says so, with a collector of
 * garbage that runs when the bench asks for the size of the heap. Started with --expose-gc.
 */
import process from 'node:process';
import type { Clock, Millis } from '../../src/base/clock.ts';
import { systemClock } from '../../src/base/clock.ts';
import { loadConfig } from '../../src/app/config/load.ts';
import { startServer } from '../../src/serve/server/listen.ts';

/** What the bench asks. */
export type Question =
  /** Moves the clock; answered when the server waits again. */
  { readonly kind: 'step'; readonly ms: Millis } | { readonly kind: 'heap' };

/** Bytes after two collections. */
export interface Heap {
  readonly used: number;
  /** Outside the heap of V8: buffers. */
  readonly external: number;
  readonly rss: number;
}

interface Sleeper {
  readonly due: Millis;
  readonly wake: () => void;
}

const sleepers = new Set<Sleeper>();
let time = Date.UTC(2026, 10, 24);
let onSleep = (): void => undefined;

const clock: Clock = {
  now: () => time,
  monotonic: () => time,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const sleeper = {
        due: time + ms,
        wake: () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', sleeper.wake);
          resolve();
        },
      };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', sleeper.wake);
      onSleep();
    }),
};

async function step(ms: Millis): Promise<void> {
  const before = sleepers.size;
  const asleep = new Promise<void>((resolve) => {
    onSleep = () => sleepers.size >= before && resolve();
  });
  time += ms;
  for (const { due, wake } of sleepers) if (due <= time) wake();
  if (sleepers.size < before) await asleep;
}

async function heap(): Promise<Heap> {
  await systemClock.sleep(1_000); // what was sent has left the buffers
  for (let time = 0; time < 2; time++) globalThis.gc?.();
  const { heapUsed: used, external, rss } = process.memoryUsage();
  return { used, external, rss };
}

const cwd = process.cwd();
const server = await startServer({
  desks: [{ name: 'desk', folder: cwd, config: await loadConfig({ cwd, env: process.env }) }],
  mode: { kind: 'link', port: 0, onLink: (link) => console.log(`open ${link}`) },
  assets: { page: '<!doctype html>', files: new Map() },
  isReadOnly: false,
  program: 'deskhand',
  user: 'ann',
  start: { command: [process.execPath], env: {} },
  clock,
  onError: (error) => console.error(error),
});
console.log(`the bench reads it on ${server.url};`);
process.on('message', (question: Question) => {
  const answer = question.kind === 'step' ? step(question.ms) : heap();
  void answer.then((value) => process.send?.(value ?? {}));
});
process.once('SIGINT', () => {
  void server.close().then(() => process.exit(0));
});
