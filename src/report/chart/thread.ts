/** The program of the drawing thread: draws one chart and returns the result. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../base/error.ts';
import type { Prepared, Said } from './aside.ts';
import { drawBoth } from './both.ts';
import { ChartError } from './chart-error.ts';

void drawOne();

async function drawOne(): Promise<void> {
  const { ready }: { readonly ready: Prepared } = workerData;
  say({ kind: 'ready' });
  try {
    say({ kind: 'drawn', pictures: await drawBoth(ready) });
  } catch (error) {
    const hint = (error instanceof ChartError && error.hint) || 'simplify its spec';
    say({ kind: 'refused', message: messageOf(error), hint });
  }
}

function say(said: Said): void {
  parentPort?.postMessage(said);
}
