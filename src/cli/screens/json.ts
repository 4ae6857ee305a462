/** A run for programs: entries as they come, or one object at the end. */
import type { Entry } from '../../journal/entry.ts';
import type { Summary } from '../../report/summary.ts';
import type { RunResult } from '../../run/interpret.ts';
import type { Screen } from './screen.ts';
import type { Channel } from './terminal.ts';

const version = 1; // of both shapes; their schemas stand in schemas/

/** One line for each entry. */
export function entriesScreen(out: Channel): Screen {
  return {
    recall: () => undefined,
    show: (entry: Entry) => out.line(JSON.stringify({ version, ...entry })),
    close: () => Promise.resolve(),
  };
}

/** The end of a run as one object. */
export function resultObject(summary: Summary, result: RunResult): object {
  const { run, playbook, plan, destination, headline, tally, files, inDoubt, refused } = summary;
  return {
    version,
    run,
    playbook,
    ...(plan !== undefined && { plan }),
    destination,
    status: result.status,
    exit: result.exit,
    headline,
    tally,
    requests: summary.requests,
    outputs: result.outputs,
    files,
    guards: summary.guards,
    bases: summary.bases,
    inDoubt,
    refused,
    next: summary.next.map(({ command }) => command),
  };
}
