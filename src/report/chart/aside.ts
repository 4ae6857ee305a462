/** Draws charts in a separate thread, which may run out of memory or time without side effects. */
import { Worker } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import { deadline, second } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import type { Chart } from '../../engine/export/document-parts.ts';
import type { Drawing } from './draw.ts';
import { ChartError } from './chart-error.ts';

export type Prepared = Omit<Drawing, 'width'>;
export type Pictures = Pick<Chart, 'wide' | 'narrow'>;

/** A message of the thread: ready, the drawing, or an error. */
export type Said =
  | { readonly kind: 'ready' }
  | { readonly kind: 'drawn'; readonly pictures: Pictures }
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string };

const memoryMax = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
const startMax = 60 * second; // loading may take long on a busy machine
const drawMax = 5 * second; // thousands of marks take less than 1 s

/**
 * Draws a chart in a thread.
 * @param script the bundle of thread.ts, as base64 of Brotli: no file has to be found beside the program
 * @throws ChartError when the spec gives no chart, or is too expensive to draw
 */
export async function drawAside(script: string, ready: Prepared): Promise<Pictures> {
  const text = brotliDecompressSync(Buffer.from(script, 'base64')).toString();
  const worker = new Worker(text, {
    eval: true,
    env: {}, // drawing needs no environment variables
    execArgv: [],
    resourceLimits: memoryMax,
    workerData: { ready },
  });
  let cancel = (): void => undefined;
  try {
    return await new Promise<Pictures>((resolve, reject) => {
      const within = (ms: number, message: string): void => {
        cancel();
        const limit = deadline(ms, () => tooMuch(message));
        cancel = () => limit.cancel();
        limit.signal.addEventListener('abort', () => reject(tooMuch(message)));
      };
      within(startMax, 'the chart could not be begun within a minute');
      worker.on('message', (said: Said) => {
        switch (said.kind) {
          case 'ready':
            return within(drawMax, `drawing the chart took longer than ${drawMax / second} s`);
          case 'drawn':
            return resolve(said.pictures);
          case 'refused':
            return reject(new ChartError(said.message, said.hint));
        }
      });
      worker.on('error', (error: unknown) => {
        const isMemory = isRecord(error) && error['code'] === 'ERR_WORKER_OUT_OF_MEMORY';
        reject(
          isMemory
            ? tooMuch(`drawing the chart took more than ${memoryMax.maxOldGenerationSizeMb} MB`)
            : new ChartError('the chart cannot be drawn', 'simplify its spec', error),
        );
      });
      worker.on('exit', () => reject(tooMuch('drawing the chart ended without a result')));
    });
  } finally {
    cancel();
    await worker.terminate();
  }
}

function tooMuch(message: string): ChartError {
  return new ChartError(
    message,
    'draw fewer marks and ticks: group the rows in a report/table first',
  );
}
