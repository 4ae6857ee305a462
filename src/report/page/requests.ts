/** Every request and wait of the run in the order of time, folded away. */
import type { Millis } from '../../base/clock.ts';
import { plainText, spoken } from '../../base/text.ts';
import { successCode } from '../../contract/errors.ts';
import { unanswered } from '../spans.ts';
import type { ActionStory, Story } from '../story.ts';
import type { Summary } from '../summary.ts';
import { timeOf } from '../words.ts';
import { html, type Content, type Html } from './html.ts';

const linesMax = 2_000; // lines of the log; the journal has them all

export function requestsPanel(story: Story, { requests, run }: Summary): Html | undefined {
  if (requests === 0) return undefined;
  const lines = story.steps
    .flatMap(({ actions }) => actions.flatMap(linesOf))
    .toSorted((a, b) => a.seq - b.seq);
  const rest = lines.length - linesMax;
  return html`<section class="panel">
    <details>
      <summary>
        <h2>Requests <small>${requests}; neither keys nor signatures are recorded</small></h2>
      </summary>
      <div class="wide">
        <table class="cards">
          <thead>
            <tr>
              <th>UTC</th>
              <th>Action</th>
              <th>Operation</th>
              <th class="n">Attempt</th>
              <th class="n">Took</th>
              <th>Answer</th>
            </tr>
          </thead>
          <tbody>
            ${lines.slice(0, linesMax).map(logRow)}
          </tbody>
        </table>
      </div>
      ${
        rest <= 0
          ? undefined
          : html`<p class="dim">${rest} more: <code>deskhand runs show ${run} --requests</code></p>`
      }
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

function linesOf(action: ActionStory): LogLine[] {
  const { address, answers, waits } = action;
  return [
    ...answers.map(({ seq, at, operation, attempt, ms, status, code }): LogLine => {
      const answer = html`<code>${plainText(code, 20)}</code>
        <span class="dim">HTTP ${status}</span>`;
      const shown = code === successCode ? answer : html`<b>${answer}</b>`;
      return { seq, at: at - ms, address, operation, attempt, ms, answer: shown };
    }),
    ...waits.map(({ seq, at, operation, why, ms, because }): LogLine => {
      const reason =
        because === undefined ? waitWords[why] : `${waitWords[why]}: ${plainText(because, 160)}`;
      return { seq, at, address, operation, ms, answer: html`<span class="dim">${reason}</span>` };
    }),
    ...unanswered(action).map(({ seq, at, operation, attempt }): LogLine => {
      return { seq, at, address, operation, attempt, answer: html`<b>no answer</b>` };
    }),
  ];
}

const waitWords = {
  limit: 'wait for a slot',
  retry: 'pause before another attempt',
  poll: 'pause before asking again',
  'look-up': 'pause before looking it up again',
} as const;

function logRow({ at, address, operation, attempt, ms, answer }: LogLine): Html {
  return html`<tr>
    <td data-label="UTC"><code>${timeOf(at)}</code></td>
    <td data-label="Action">${plainText(address, 120)}</td>
    <td data-label="Operation">${operation}</td>
    <td class="n" data-label="Attempt">${attempt ?? '–'}</td>
    <td class="n" data-label="Took">${ms === undefined ? '–' : spoken(ms)}</td>
    <td data-label="Answer">${answer}</td>
  </tr>`;
}
