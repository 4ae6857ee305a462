/** `GET /events`: notices of changes, as one stream for all pages of a browser. */
import { notice } from '../notices.ts';
import { noFields, streams } from '../route.ts';

export const events = streams({
  title: 'Follow what changes; Last-Event-ID continues after the last notice that was seen',
  role: 'viewer',
  parameters: noFields,
  event: notice,
  open: ({ lastEventId }, { notices }, signal) => notices.follow(lastEventId, signal),
});
