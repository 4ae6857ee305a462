/** The events that a person is notified of. */

export const noticeEvents = ['in-doubt', 'stopped', 'approval-wanted', 'missed', 'drift'] as const;
export type NoticeEvent = (typeof noticeEvents)[number];
