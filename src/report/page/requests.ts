/** Every request and wait of the run in chronological order, collapsed. */
import type { Millis } from '../../base/clock.ts';
import { plainText, spoken, shellWord } from '../../base/text.ts';
import { successCode } from '../../api/errors.ts';
import { unanswered } from '../spans.ts';
import type { ActionStory, Story } from '../story.ts';
import type { Summary } from '../summary.ts';
import { timeOf } from '../words.ts';
import { html, type Content, type Html } from './html.ts';
import { table, type Column } from './table.ts';

const linesMax = 2_000; // log lines shown; the journal has all

export function requestsPanel(story: Story, { requests, run }: Summary): Html | undefined {
  if (requests === 0) return undefined;
  const lines = story.steps
    .flatMap(({ actions }) => actions.flatMap(linesOf))
    .toSorted((a, b) => a.seq - b.seq);
  const rest = lines.length - linesMax;
  const command = html`<code>deskhand runs show ${shellWord(run)} --requests</code>`;
  return html`<section class="panel">
    <details>
      <summary>
        <h2>Requests <small>${requests}; neither keys nor signatures are recorded</small></h2>
      </summary>
      ${table(columns, lines.slice(0, linesMax))}
      ${rest <= 0 ? undefined : html`<p class="dim">${rest} more: ${command}</p>`}
    </details>
  </section>`;
}

interface LogLine {
  readonly seq: number;
  readonly at: Millis;
  readonly address: string;
  readonly operation: string;
  readonly attempt?: number;
  readonly ms?: Millis;
  readonly answer: Content;
}

const columns: readonly Column<LogLine>[] = [
  { name: 'UTC', cell: ({ at }) => html`<code>${timeOf(at)}</code>` },
  { name: 'Action', cell: ({ address }) => plainText(address, 120) },
  { name: 'Operation', cell: ({ operation }) => operation },
  { name: 'Attempt', isNumber: true, cell: ({ attempt }) => attempt ?? '–' },
  { name: 'Took', isNumber: true, cell: ({ ms }) => (ms === undefined ? '–' : spoken(ms)) },
  { name: 'Answer', cell: ({ answer }) => answer },
];

function linesOf(action: ActionStory): LogLine[] {
  const { address, answers, waits } = action;
  return [
    ...answers.map(({ seq, at, operation, attempt, ms, status, code, count = 1 }): LogLine => {
      const one = answered(plainText(code, 20), status);
      const answer = count === 1 ? one : html`${one} <span class="dim">${count} alike</span>`;
      return { seq, at: at - ms, address, operation, attempt, ms, answer };
    }),
    ...waits.map(({ seq, at, operation, why, ms, because }): LogLine => {
      const words = because === undefined ? [waitWords[why]] : [waitWords[why], because];
      const answer = html`<span class="dim">${plainText(words.join(': '), 160)}</span>`;
      return { seq, at, address, operation, ms, answer };
    }),
    ...unanswered(action).map(({ seq, at, operation, attempt }): LogLine => {
      return { seq, at, address, operation, attempt, answer: html`<b>no response</b>` };
    }),
  ];
}

function answered(code: string, status: number): Html {
  const answer = html`<code>${code}</code> <span class="dim">HTTP ${status}</span>`;
  return code === successCode ? answer : html`<b>${answer}</b>`;
}

const waitWords = {
  limit: 'wait for a rate limit slot',
  retry: 'pause before another attempt',
  poll: 'pause before the next poll',
  'look-up': 'pause before the next lookup',
} as const;
