/** A doubt on every screen, in one order: sent, why unknown, what each list said, what settles it. */
import { expect, test } from 'vitest';
import { TransportError, type Transport } from '../../src/exchange/api/exchange.ts';
import type { OperationName } from '../../src/exchange/api/operations/index.ts';
import { themeOf } from '../../src/report/terminal/theme.ts';
import { summaryLines } from '../../src/report/terminal/summary.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import { noticeOfEnd } from '../../src/app/notification/notice.ts';
import { eventLine } from '../../src/report/event-lines.ts';
import { runMarkdown } from '../../src/report/markdown/run-comment.ts';
import { runReport } from '../../src/report/page/page.ts';
import { summaryOf } from '../../src/report/summary.ts';
import { entriesOf, live, openHarness, playbookFrom } from '../support/harness.ts';
import { limitOrder } from '../support/order.ts';

const bid = playbookFrom(`
playbook: 1
name: bids
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' })}
`);

/** The journal of an order that was lost on its way, on an exchange that answers these reads with HTTP 503. */
async function lostOn(...unread: readonly OperationName[]): Promise<readonly Entry[]> {
  const on = await openHarness();
  const lost =
    (transport: Transport): Transport =>
    async (request, signal) => {
      if (unread.includes(request.operation)) {
        return { status: 503, headers: {}, body: Buffer.from('the lists are being moved') };
      }
      if (request.operation !== 'futures/place-order') return transport(request, signal);
      throw new TransportError('the connection was reset', 'maybe');
    };
  const { status } = await live(on, bid, { onDoubt: 'ask', wrap: lost });
  expect(status).toBe('doubt');
  return entriesOf(on);
}

/** Every text that is made from a journal, by its medium, without tags and line breaks. */
function textsOf(entries: readonly Entry[]): Readonly<Record<string, string>> {
  const plain = themeOf({ isTTY: false }, {});
  const settled = entries.find(({ kind }) => kind === 'settled');
  const texts = {
    screen: summaryLines(summaryOf(entries), plain).join(' '),
    page: runReport(entries, { program: 'deskhand', contract: 'c' }).replace(
      /<style>[^]*?<\/style>|<[^>]*>/g,
      ' ',
    ),
    markdown: runMarkdown(entries),
    notice: JSON.stringify(noticeOfEnd(entries)),
    json: JSON.stringify(summaryOf(entries).inDoubt),
    log: settled === undefined ? '' : eventLine(settled).text,
  };
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.replaceAll(/\s+/g, ' ')]),
  );
}

const at = String.raw`2026-11-20T04:0\d:\d\d\.\d{3}Z`;

test.each([
  [
    ['order/list-open', 'order/list-history'],
    'open orders could not be read: the read ended with “HTTP 503”',
    'history orders were not read',
  ],
  [
    ['order/list-history'],
    `open orders do not show it up to ${at}`,
    'history orders could not be read: the read ended with “HTTP 503”',
  ],
] as const)('names the words of a read that failed as its own: %j', async (unread, ...said) => {
  const entries = await lostOn(...unread);
  const texts = textsOf(entries);
  const words = ['the connection was reset', ...said].join('.*?');
  const inOrder = new RegExp(
    `sent.*?2026-11-20 04:00:.*?UTC, 1 attempt.*?${words}.*?a list that shows`,
  );
  for (const medium of ['screen', 'page', 'markdown', 'notice', 'json']) {
    expect([medium, texts[medium]]).toEqual([medium, expect.stringMatching(inOrder)]);
  }
  expect(texts['log']).toEqual(expect.stringMatching(new RegExp(words)));
  for (const text of Object.values(texts)) expect(text).not.toContain('nothing was executed');
});

test('says up to which exchange time complete lists do not show it', async () => {
  const { lists } = summaryOf(await lostOn()).inDoubt[0] ?? { lists: [] };
  expect(lists).toEqual([
    expect.stringMatching(
      new RegExp(`^open and history orders do not show it up to ${at}, in \\d+ looks$`),
    ),
  ]);
});
