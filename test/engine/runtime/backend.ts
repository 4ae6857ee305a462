/** What the contract of engines asks of a backend: a place that lives follow one another in. */
import type { Json } from '../../../src/base/json.ts';
import type { StandingClock } from '../../../src/base/clock.ts';
import type { Effects } from '../../../src/engine/effects/effect.ts';
import type { Body, Durable } from '../../../src/engine/interpreter/durable.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import type { Engine } from '../../../src/engine/runtime/embedded.ts';

/** Effects of the suite: each records outside what it really did. */
export interface TestJobs {
  /** Does it once for each attempt. */
  readonly mark: { readonly name: string };
  /** Looks first if it was announced; acts only when it is not there. */
  readonly keyed: { readonly name: string };
  readonly once: { readonly name: string };
  /** Ends only when it is let go. */
  readonly hang: { readonly name: string };
  readonly fail: { readonly name: string };
  /** Announces something after it ended, whenever it is let go. */
  readonly trail: { readonly name: string };
}

/** One life of an engine: it continues with what the lives before it left behind. */
export interface TestLife extends Pick<Engine<TestJobs>, 'deliver' | 'caughtUp'> {
  readonly durable: Durable<TestJobs>;
  /** The process is gone; attempts of it may still be in progress, and nothing of them is stored. */
  readonly die: () => Promise<void>;
}

/** What a life is begun with. */
export interface TestLifeOptions {
  readonly clock: StandingClock;
  readonly effects: Effects<TestJobs>;
  readonly body: Body<TestJobs>;
  readonly drain: AbortSignal;
  readonly onEntry: (entry: Entry) => void;
  /** Its process dies at so many acts of its storage; never when absent. */
  readonly diesAt?: number;
  /** On another machine, which takes over from a process that may only be suspended. */
  readonly isTakeover?: boolean;
}

export type Silence = 'unreachable' | 'answer-lost';

/** Where the lives of one run leave what they did. */
export interface TestPlace {
  /** @throws when it dies before it has begun */
  begin(options: TestLifeOptions): Promise<TestLife>;
  /** What is stored. @throws JournalError */
  stored(): Promise<readonly Entry[]>;
}

/** A store of which a copy was restored. */
export interface ForgetfulPlace extends TestPlace {
  /** It lacks its last lines from now on. */
  forget(lines: number): Promise<void>;
}

/** A store that may give no answer. */
export interface SilentPlace extends TestPlace {
  /** Whether a process repeats a request for a while; otherwise the next process does. */
  readonly isPatient: boolean;
  /** The next so many requests to store lines get no answer. */
  silence(how: Silence, times: number): void;
}

/** A backend, by what it can do. Each function makes a new, empty place. */
export interface TestBackend {
  readonly name: string;
  open(): TestPlace | Promise<TestPlace>;
  /** Absent if nothing prevents two processes from writing. */
  readonly openFenced?: () => TestPlace | Promise<TestPlace>;
  /** Absent if it never forgets what it confirmed. */
  readonly openForgetful?: () => ForgetfulPlace | Promise<ForgetfulPlace>;
  /** Absent if it always answers. */
  readonly openSilent?: () => SilentPlace | Promise<SilentPlace>;
}

export const wordIn = (input: Json): string => (typeof input === 'string' ? input : '');
