/** The statuses of a run: how it ended, or that it did not; and in the list, that its record is damaged or empty. */
import { endStatuses } from '../engine/journal/end-status.ts';

const storyStatuses = [...endStatuses, 'unfinished'] as const;

/** The status of a run whose record can be read. */
export type StoryStatus = (typeof storyStatuses)[number];

/** The statuses of a run in the list: in its output, and as an argument. */
export const runStatuses = [...storyStatuses, 'damaged', 'not-begun'] as const;

export type RunStatus = (typeof runStatuses)[number];
