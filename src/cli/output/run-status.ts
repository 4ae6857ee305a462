/** How a run in the list can be: in its output, and as one word of a command line. */
export const runStatuses = [
  'done',
  'stopped',
  'doubt',
  'interrupted',
  'unfinished',
  'damaged',
  'not begun',
] as const;

export type RunStatus = (typeof runStatuses)[number];

/** The status as `runs list --status` takes it. */
export function statusWord(status: RunStatus): string {
  return status.replace(' ', '-');
}

export const statusWords: readonly string[] = runStatuses.map(statusWord);
