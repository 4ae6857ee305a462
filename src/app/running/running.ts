/** The parts that a run is executed with, and those that remain after it. */
import type { ExitCode } from '../../base/error.ts';
import type { Approval, Entry } from '../../engine/journal/entry.ts';
import type { RunResult } from '../../engine/interpreter/interpret.ts';
import type { Summary } from '../../report/summary.ts';
import type { StateStore } from '../../stores/store.ts';
import type { Work } from '../accounts/work.ts';
import type { Interruption } from '../machine/interrupt.ts';
import type { Prepared } from '../planning/make-plan.ts';
import type { RunObserver } from './observer.ts';

export interface RunningJob {
  readonly prepared: Prepared;
  readonly session: Work;
  readonly store: StateStore;
  /** The saved plan being executed. */
  readonly planId?: string;
  /** Signed approvals of that plan. */
  readonly approvals?: readonly Approval[];
  /** Existing entries, if the run is resumed. */
  readonly earlier?: readonly Entry[];
  readonly interruption: Interruption;
  /** Opens the observer of the run. @param drain aborted when nothing new is sent */
  readonly observe: (drain: AbortSignal) => Promise<RunObserver>;
}

export interface ExecutedRun {
  readonly result: RunResult;
  readonly summary: Summary;
  readonly entries: readonly Entry[];
  readonly exit: ExitCode;
}
