/** The screen of a run in progress: a function of the journal's entries. */
export type { RunObserver as Screen } from '../../session/running/observer.ts';
