/** How a run ends: the statuses of its last entry, of reports, metrics and schedules. */
export const endStatuses = ['done', 'stopped', 'doubt', 'interrupted'] as const;

export type EndStatus = (typeof endStatuses)[number];
