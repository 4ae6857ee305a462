/** The signals of a run: each is delivered once and recorded, before or after a task waits for it. */
import type { Json } from '../../base/json.ts';
import type { Entry, Outcome } from '../journal/entry.ts';
import type { Handle, TaskEnd } from '../interpreter/durable.ts';
import { done } from './done.ts';
import { requireJson } from './plain.ts';
import type { Recorder } from './recorder.ts';
import type { TaskRegistry } from './task-registry.ts';

export class Signals {
  readonly #recorder: Recorder;
  readonly #tasks: TaskRegistry;
  readonly #delivered: Map<string, Promise<Outcome>>;

  constructor(earlier: readonly Entry[], recorder: Recorder, tasks: TaskRegistry) {
    this.#recorder = recorder;
    this.#tasks = tasks;
    this.#delivered = new Map(earlier.flatMap(signalIn));
  }

  /** @param stopped aborted when tasks stop waiting */
  wait(name: string, stopped: AbortSignal): Handle {
    const work = (): Promise<TaskEnd> => this.#delivered.get(name) ?? untilAborted(stopped);
    return this.#tasks.begin(keyOf(name), name, work, 'waits');
  }

  /** Delivers a signal; an earlier one is kept. @throws DiskError */
  async deliver(name: string, payload: Json): Promise<void> {
    requireJson(payload, name);
    if (this.#delivered.has(name)) return;
    const recorded = this.#record(name, payload);
    this.#delivered.set(name, recorded);
    this.#tasks.complete(keyOf(name), await recorded);
  }

  async #record(name: string, payload: Json): Promise<Outcome> {
    await this.#recorder.note({ kind: 'signalled', name, payload });
    return done(payload);
  }
}

function keyOf(signal: string): string {
  return `signal ${signal}`;
}

function signalIn(entry: Entry): [string, Promise<Outcome>][] {
  return entry.kind === 'signalled' ? [[entry.name, Promise.resolve(done(entry.payload))]] : [];
}

/** Ends a task without a result when responses are no longer awaited. */
function untilAborted(signal: AbortSignal): Promise<TaskEnd> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ kind: 'interrupted' });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
