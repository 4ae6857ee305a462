/** Every request and wait of the run in chronological order, collapsed. */
import { requestsNote, requestTable } from '../blocks/requests.ts';
import type { Story } from '../story.ts';
import type { Summary } from '../summary.ts';
import { folded, table } from './draw.ts';
import { html, type Html } from './html.ts';

const linesMax = 2_000; // log lines shown; the journal has all

export function requestsPanel(story: Story, { requests, run }: Summary): Html | undefined {
  if (requests === 0) return undefined;
  const title = html`Requests <small>${requests}; ${requestsNote}</small>`;
  return folded(title, table(requestTable(story, run), linesMax));
}
