/** The statuses of a run in the list: in its output, and as an argument. */
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

/** The word for a status, as used by `runs list --status`. */
export function statusWord(status: RunStatus): string {
  return status.replace(' ', '-');
}

export const statusWords: readonly string[] = runStatuses.map(statusWord);
