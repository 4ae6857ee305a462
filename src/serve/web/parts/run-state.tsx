/** The state of a run: in lists, and whether it is at work. */
import type { JSX } from 'preact';
import type { Answer } from '../api.ts';
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
