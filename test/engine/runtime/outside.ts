/** The world outside, which remembers what was done to it, however often processes die. */
import { standingClock } from '../../../src/base/clock.ts';
import { validity } from '../../../src/exchange/api/promises.ts';
import type { Attempt, Effect, Effects } from '../../../src/engine/effects/effect.ts';
import { InterruptedError, type TaskEnd } from '../../../src/engine/interpreter/durable.ts';
import type { TestJobs } from './backend.ts';

/** The process died here. */
export class Dead extends Error {}

/** Where an announced effect can be suspended. */
export type Moment = 'before it is announced' | 'after it is announced' | 'before it is settled';

/**
 * It guarantees what the exchange does: a request whose announcement is older than `validity` is
 * refused, and an executed one is found by name from then on.
 */
export class Outside {
  readonly did: string[] = [];
  /** Names that were looked up, in order. */
  readonly looked: string[] = [];
  readonly clock = standingClock(1_790_000_000_000);
  readonly letGo: (() => void)[] = [];
  #diesAfter: string | undefined;
  #suspends: { readonly at: Moment; readonly wait: () => Promise<void> } | undefined;
  #refuses = false;
  #stopsLooking: (() => void) | undefined;

  /** The next attempt to do this dies before its result is known. */
  dieAfter(name: string): void {
    this.#diesAfter = name;
  }

  /** The next announced effect is refused. */
  refuseNext(): void {
    this.#refuses = true;
  }

  /** The next lookup calls this, and is interrupted. */
  stopAtLook(stop: () => void): void {
    this.#stopsLooking = stop;
  }

  /** The next announced effect is suspended at this moment. */
  suspend(at: Moment): { readonly isSuspended: Promise<void>; readonly resume: () => void } {
    let resume = (): void => undefined;
    let arrive = (): void => undefined;
    const isSuspended = new Promise<void>((resolve) => (arrive = resolve));
    const resumed = new Promise<void>((resolve) => (resume = resolve));
    const wait = (): Promise<void> => {
      arrive();
      return resumed;
    };
    this.#suspends = { at, wait };
    return { isSuspended, resume: () => resume() };
  }

  get effects(): Effects<TestJobs> {
    return {
      mark: { class: 'read', execute: async ({ name }) => this.#act(name) },
      keyed: { class: 'keyed', execute: this.#announced('futures/place-order') },
      once: { class: 'once', execute: this.#announced('account/create-sub') },
      hang: {
        class: 'read',
        execute: async ({ name }, { key, note }) => {
          await new Promise<void>((resolve) => this.letGo.push(resolve));
          await note({ kind: 'opened', step: key });
          return this.#act(name);
        },
      },
      fail: {
        class: 'read',
        execute: async ({ name }) => {
          this.#act(name);
          return { kind: 'failed', code: 'no', message: name, exit: 1 };
        },
      },
      trail: {
        class: 'read',
        execute: async ({ name }, { noteLater }) => {
          this.letGo.push(() => noteLater({ kind: 'opened', step: name }));
          return this.#act(name);
        },
      },
    };
  }

  #announced(
    operation: 'futures/place-order' | 'account/create-sub',
  ): Effect<{ readonly name: string }>['execute'] {
    return async ({ name }, { key, note, before }) => {
      if (await this.#isThere(name, before)) {
        return { kind: 'done', output: `${name} found`, evidence: 'looked-up' };
      }
      const signedAt = this.clock.now();
      await this.#reach('before it is announced');
      await note({
        kind: 'intended',
        address: key,
        operation,
        input: { name },
        identity: key,
        attempt: before.attempts + 1,
        signedAt,
      });
      await this.#reach('after it is announced');
      const isRefused = this.#refuses;
      this.#refuses = false;
      if (isRefused || this.clock.now() > signedAt + validity) {
        return { kind: 'refused', code: '40008', message: 'refused', exit: 1 };
      }
      const end = this.#act(name);
      await this.#reach('before it is settled');
      return end;
    };
  }

  /** Whether it was done; looked up when nothing announced earlier can be executed any more. */
  async #isThere(name: string, { openSince, unreported }: Attempt['before']): Promise<boolean> {
    const signed = openSince.map(({ signedAt }) => signedAt);
    if (unreported !== undefined) signed.push(unreported.until);
    if (signed.length === 0) return false;
    await this.clock.sleep(Math.max(...signed) + validity + 1 - this.clock.now());
    this.looked.push(name);
    const stop = this.#stopsLooking;
    this.#stopsLooking = undefined;
    if (stop !== undefined) {
      stop();
      throw new InterruptedError();
    }
    return this.did.includes(name);
  }

  #act(name: string): TaskEnd & { kind: 'done' } {
    this.did.push(name);
    if (this.#diesAfter === name) {
      this.#diesAfter = undefined;
      throw new Dead();
    }
    return { kind: 'done', output: `${name} ${this.did.length}`, evidence: 'answered' };
  }

  async #reach(moment: Moment): Promise<void> {
    if (this.#suspends?.at !== moment) return;
    const { wait } = this.#suspends;
    this.#suspends = undefined;
    await wait();
  }
}
