/** The formats of a notification; `json` is our own. */

export const noticeFormats = ['json', 'slack', 'teams', 'email'] as const;
export type NoticeFormat = (typeof noticeFormats)[number];

export function isNoticeFormat(text: string): text is NoticeFormat {
  return noticeFormats.some((format) => format === text);
}
