/** The state of a run, and how long it took: of one in progress, how long it has been. */
import type { JSX } from 'preact';
import { spoken } from '../../../base/text.ts';
import type { Answer } from '../api.ts';
import { now } from '../clock.ts';
import { Pill, State } from './pill.tsx';

type Row = Answer<'GET /runs/{run}'>['row'];

/** Whether a process executes steps of the run, rather than waiting for people. */
export function isAtWork({ state, asks }: Row): boolean {
  return state === 'running' && asks === undefined;
}

export function RunState({ row }: { readonly row: Row }): JSX.Element {
  const { state, doubts } = row;
  if (state === 'running') {
    return isAtWork(row) ? <State state={state} /> : <Pill tone="warn" text="waits for approval" />;
  }
  return <State state={doubts > 0 ? 'doubt' : state} />;
}

/** The active time of a run, until now if it is in progress. */
export function tookText({ tookMs, lastAt }: Row): string {
  const since = lastAt === undefined ? 0 : Math.max(0, now.value - lastAt);
  return spoken(tookMs + since);
}
