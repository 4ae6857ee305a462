/** The page's clock and timers: the only file of the page that reads them. */
import { signal } from '@preact/signals';

/** The current time, updated every few seconds: ages are counted from it. */
export const now = signal(Date.now());

export const hourMs = 60 * 60_000;
export const dayMs = 24 * hourMs;

const lookInterval = 5_000; // ms

let ahead = 0; // ms by which the clock of the server is ahead of the browser's

export function startClock(): void {
  setInterval(() => {
    now.value = Date.now() + ahead;
  }, lookInterval);
}

/**
 * Counts ages by the clock of the server, whose times the page shows.
 * @param date the header of an answer, exact to the second
 */
export function followServer(date: string | null): void {
  const server = Date.parse(date ?? '');
  if (Number.isNaN(server)) return;
  const difference = server - Date.now();
  if (Math.abs(difference - ahead) < serverPrecision) return;
  ahead = Math.abs(difference) < serverPrecision ? 0 : difference;
  now.value = Date.now() + ahead;
}

const serverPrecision = 3_000; // ms: the header has seconds, and the answer takes time

/** Calls `work` once, after some milliseconds. */
export function later(ms: number, work: () => void): void {
  setTimeout(work, ms);
}

/** Calls `work` at most once in `ms`, the last time after the last call, and not after `end` is aborted. */
export function atMost(ms: number, end: AbortSignal, work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = -Infinity;
  return () => {
    if (timer !== undefined) return;
    const wait = Math.max(0, last + ms - performance.now());
    timer = setTimeout(() => {
      timer = undefined;
      last = performance.now();
      if (!end.aborted) work();
    }, wait);
  };
}
