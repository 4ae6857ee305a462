/** Every request and wait of the run in chronological order, collapsed. */
import type { Millis } from '../../base/clock.ts';
import { plainText, spoken } from '../../base/text.ts';
import { successCode } from '../../api/errors.ts';
import { showCommand, type Column, type Inline } from '../blocks/block.ts';
import { unanswered } from '../spans.ts';
import type { ActionStory, Story } from '../story.ts';
import type { Summary } from '../summary.ts';
import { timeOf } from '../words.ts';
import { folded, table } from './draw.ts';
import { html, type Html } from './html.ts';

const linesMax = 2_000; // log lines shown; the journal has all

export function requestsPanel(story: Story, { requests, run }: Summary): Html | undefined {
  if (requests === 0) return undefined;
  const lines = story.steps
    .flatMap(({ actions }) => actions.flatMap(linesOf))
    .toSorted((a, b) => a.seq - b.seq);
  const log = { columns, rows: lines, rest: [': ', { code: `${showCommand(run)} --requests` }] };
  const title = html`Requests <small>${requests}; neither keys nor signatures are recorded</small>`;
  return folded(title, table(log, linesMax));
}

interface LogLine {
  readonly seq: number;
  readonly at: Millis;
  readonly address: string;
  readonly operation: string;
  readonly attempt?: number;
  readonly ms?: Millis;
  readonly answer: Inline;
}

const columns: readonly Column<LogLine>[] = [
  { name: 'UTC', cell: ({ at }) => ({ code: timeOf(at) }) },
  { name: 'Action', cell: ({ address }) => plainText(address, 120) },
  { name: 'Operation', cell: ({ operation }) => operation },
  { name: 'Attempt', isNumber: true, cell: ({ attempt }) => String(attempt ?? '–') },
  { name: 'Took', isNumber: true, cell: ({ ms }) => (ms === undefined ? '–' : spoken(ms)) },
  { name: 'Answer', cell: ({ answer }) => answer },
];

function linesOf(action: ActionStory): LogLine[] {
  const { address, answers, waits } = action;
  return [
    ...answers.map(({ seq, at, operation, attempt, ms, status, code, count = 1 }): LogLine => {
      const one = answered(plainText(code, 20), status);
      const answer = count === 1 ? one : [one, ' ', { dim: `${count} alike` }];
      return { seq, at: at - ms, address, operation, attempt, ms, answer };
    }),
    ...waits.map(({ seq, at, operation, why, ms, because }): LogLine => {
      const words = because === undefined ? [waitWords[why]] : [waitWords[why], because];
      const answer = { dim: plainText(words.join(': '), 160) };
      return { seq, at, address, operation, ms, answer };
    }),
    ...unanswered(action).map(({ seq, at, operation, attempt }): LogLine => {
      return { seq, at, address, operation, attempt, answer: { strong: 'no response' } };
    }),
  ];
}

function answered(code: string, status: number): Inline {
  const answer = [{ code }, ' ', { dim: `HTTP ${status}` }];
  return code === successCode ? answer : { strong: answer };
}

const waitWords = {
  limit: 'wait for a rate limit slot',
  retry: 'pause before another attempt',
  poll: 'pause before the next poll',
  'look-up': 'pause before the next lookup',
} as const;
