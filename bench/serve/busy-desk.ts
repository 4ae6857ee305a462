/** Runs in progress of a repository: one begins every minute, and sends an order every second. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minute, second } from '../../src/base/clock.ts';
import { headerText, type RunHeader } from '../../src/engine/journal/header.ts';
import { putMark } from '../../src/engine/journal/high-water.ts';
import { lockRun, type AccountLock } from '../../src/engine/journal/lock.ts';
import { recordOf, type onlyStart } from '../growth/records.ts';

export const orders = 300; // of a run, which takes five minutes
const linesOfOrder = 3;
const firstOrder = 5_000_001;

interface Running {
  readonly run: string;
  readonly journal: string;
  readonly header: RunHeader;
  readonly lines: readonly string[];
  readonly mark: { readonly seq: number; readonly link: string; readonly end: number };
  readonly lock: AccountLock;
  at: number;
}

export class BusyDesk {
  readonly #stateDir: string;
  readonly #model: ReturnType<typeof onlyStart>;
  readonly #running = new Set<Running>();
  #begun = 0;
  #seconds = 0;
  /** Entries that were written. */
  entries = 0;

  constructor(stateDir: string, model: ReturnType<typeof onlyStart>) {
    this.#stateDir = stateDir;
    this.#model = model;
  }

  /** The newest run. */
  get newest(): string | undefined {
    return [...this.#running].at(-1)?.run;
  }

  /** What happens in the next second. */
  async second(): Promise<void> {
    if (this.#seconds % (minute / second) === 0) await this.#begin();
    this.#seconds += 1;
    for (const running of this.#running) {
      const more = running.lines.slice(running.at, running.at + linesOfOrder);
      appendFileSync(running.journal, more.join(''));
      running.at += more.length;
      this.entries += more.length;
      if (running.at < running.lines.length) continue;
      await putMark(this.#stateDir, running.header, running.mark);
      await running.lock.release();
      this.#running.delete(running);
    }
  }

  /** Releases the locks of runs in progress. */
  async end(): Promise<void> {
    for (const { lock } of this.#running) await lock.release();
  }

  async #begin(): Promise<void> {
    const number = this.#begun++;
    const run = `r-busy${String(number).padStart(4, '0')}`;
    const from = firstOrder + number * orders;
    const at = this.#model.at + number * minute;
    const { header, text, seq, link } = recordOf(this.#model, { run, orders, from, at });
    const folder = join(this.#stateDir, 'runs', run);
    const lock = await lockRun(this.#stateDir, run);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'header.json'), headerText(header));
    const journal = join(folder, 'journal.ndjson');
    const mark = { seq, link, end: seq };
    const lines = text.split(/(?<=\n)/);
    this.#running.add({ run, journal, header, lines, mark, lock, at: 0 });
  }
}
