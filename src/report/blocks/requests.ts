/** Every request and wait of a run in chronological order. */
import type { Millis } from '../../base/clock.ts';
import { plainText, spoken } from '../../base/text.ts';
import { successCode } from '../../exchange/api/errors.ts';
import { unanswered } from '../spans.ts';
import type { ActionStory, Story } from '../story.ts';
import { waitPhrases } from '../waits.ts';
import { accountField, type OnAccount } from '../accounts.ts';
import { showCommand, withAccount, type Column, type Inline, type Table } from './block.ts';

export function requestTable(story: Story, run: string): Table<LogLine> {
  const rows = story.steps
    .flatMap(({ actions }) => actions.flatMap(linesOf))
    .toSorted((a, b) => a.seq - b.seq);
  return {
    columns: withAccount(columns, rows),
    rows,
    rest: [': ', { code: `${showCommand(run)} --requests` }],
  };
}

/** A note for the title of the requests: which parts the journal has of them. */
export const requestsNote = 'neither keys nor signatures are recorded';

interface LogLine extends OnAccount {
  readonly seq: number;
  readonly at: Millis;
  readonly address: string;
  readonly operation: string;
  readonly attempt?: number;
  readonly ms?: Millis;
  readonly answer: Inline;
}

const columns: readonly Column<LogLine>[] = [
  { name: 'UTC', cell: ({ at }) => ({ time: at }) },
  { name: 'Action', cell: ({ address }) => plainText(address, 120) },
  { name: 'Operation', cell: ({ operation }) => operation },
  { name: 'Attempt', isNumber: true, cell: ({ attempt }) => String(attempt ?? '–') },
  { name: 'Took', isNumber: true, cell: ({ ms }) => (ms === undefined ? '–' : spoken(ms)) },
  { name: 'Answer', cell: ({ answer }) => answer },
];

function linesOf(action: ActionStory): LogLine[] {
  const { address, answers, waits } = action;
  const account = accountField(action.account);
  const lines = [
    ...answers.map(({ seq, at, operation, attempt, ms, status, code, count = 1 }): LogLine => {
      const one = answered(plainText(code, 20), status);
      const answer = count === 1 ? one : [one, ' ', { dim: `${count} alike` }];
      return { seq, at: at - ms, address, operation, attempt, ms, answer };
    }),
    ...waits.map(({ seq, at, operation, why, ms, because }): LogLine => {
      const words = because === undefined ? [waitPhrases[why]] : [waitPhrases[why], because];
      const answer = { dim: plainText(words.join(': '), 160) };
      return { seq, at, address, operation, ms, answer };
    }),
    ...unanswered(action).map(({ seq, at, operation, attempt }): LogLine => {
      return { seq, at, address, operation, attempt, answer: { strong: 'no response' } };
    }),
  ];
  return lines.map((line) => ({ ...line, ...account }));
}

function answered(code: string, status: number): Inline {
  const answer = [{ code }, ' ', { dim: `HTTP ${status}` }];
  return code === successCode ? answer : { strong: answer };
}
