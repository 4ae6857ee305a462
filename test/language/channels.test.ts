/** Messages for each channel: their form, their limits, and texts that look like markup. */
import { describe, expect, test } from 'vitest';
import type { TextTable } from '../../src/base/text-table.ts';
import type { Content } from '../../src/language/channels/channel.ts';
import { channelFor, channels } from '../../src/language/channels/index.ts';
import { discord } from '../../src/language/channels/discord.ts';
import { mailHtml, mailText } from '../../src/language/channels/mail-text.ts';
import { slack } from '../../src/language/channels/slack.ts';
import { teams } from '../../src/language/channels/teams.ts';
import { telegram } from '../../src/language/channels/telegram.ts';

const table: TextTable = {
  columns: [
    { name: 'symbol', isNumber: false },
    { name: 'volume', isNumber: true },
  ],
  rows: [
    ['BTCUSDT', '41,250.00'],
    ['ETH<b>', ''],
  ],
  left: 7,
  notes: ['1 item of rates is missing: DOGE.'],
};
const content: Content = {
  text: 'Volumes of the week',
  subject: 'Week 47',
  table,
  link: 'https://desk.example.com/runs/r-1',
  document: { text: 'Volumes of the week' },
};
const facts: Content = {
  text: 'ladder stopped',
  facts: [['why', 'a@b *x* _y_ `z` <u>']],
  command: 'deskhand resume r-1',
  document: {},
};

const hostile =
  '@everyone <!channel> <b>&amp; *bold* [x](https://evil.example) ```\n# h\n> q\r\nBcc: a@b \u202e _i_ ~~s~~ ||p|| \\';

/** A table with many rows of long cells. */
function large(rows: number, columns = 3): TextTable {
  const names = Array.from({ length: columns }, (_, at) => `column ${at}`);
  return {
    columns: names.map((name) => ({ name, isNumber: false })),
    rows: Array.from({ length: rows }, (_, at) => names.map(() => `${at} ${'x'.repeat(60)}`)),
    left: 0,
    notes: [],
  };
}

describe('a message with a table', () => {
  test('for Slack', () => expect(slack.body(content)).toMatchSnapshot());
  test('for Teams', () => expect(teams.body(content)).toMatchSnapshot());
  test('for Telegram', () => expect(telegram.body(content)).toMatchSnapshot());
  test('for Discord', () => expect(discord.body(content)).toMatchSnapshot());
  test('as the text of an e-mail', () => expect(mailText(content)).toMatchSnapshot());
  test('as the HTML of an e-mail', () => expect(mailHtml(content)).toMatchSnapshot());
});

describe('facts and a command', () => {
  test('for Telegram', () => expect(telegram.body(facts)).toMatchSnapshot());
  test('for Discord', () => expect(discord.body(facts)).toMatchSnapshot());
});

describe('a text alone', () => {
  const alone = { text: 'done', document: { text: 'done' } };
  test('is short in every channel', () => {
    expect(channels.map((channel) => [channel.name, channel.body(alone)])).toMatchSnapshot();
  });
});

describe('addresses', () => {
  test.each([
    ['https://api.telegram.org/bot123:T0KEN/sendMessage?chat_id=-100', 'telegram', undefined],
    ['https://api.telegram.org/bot123:T0KEN/sendMessage', 'telegram', /must end in/],
    ['https://api.telegram.org/bot123:T0KEN/deleteWebhook?chat_id=1', 'telegram', /must end in/],
    ['https://discord.com/api/webhooks/1/T0KEN', 'discord', undefined],
    ['https://discord.com/channels/1', 'json', undefined],
    ['https://api.telegram.org.example/bot1:x/sendMessage?chat_id=1', 'json', undefined],
  ])('%s is for %s', (address, name, problem) => {
    const url = new URL(address);
    const channel = channelFor({}, url);
    expect(channel.name).toBe(name);
    const found = channel.addressProblem(url, false);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(problem);
    expect(found ?? '').not.toContain('T0KEN');
  });
});

describe('limits', () => {
  const long = { ...content, text: '*😀'.repeat(4000), subject: 's_'.repeat(300) };
  const sizes = [0, 1, 5, 50, 500].map((rows) => large(rows, rows > 5 ? 25 : 3));

  test.each(sizes.map((each) => [each.rows.length, each] as const))(
    'hold for a table of %i rows, with a short and a long text',
    (_rows, each) => {
      for (const one of [{ ...content, table: each }, { ...long, table: each }, long]) {
        const sent = JSON.parse(JSON.stringify(telegram.body(one)));
        expect(sent.text.length).toBeLessThanOrEqual(4096);
        for (const { offset, length } of sent.entities) {
          expect(length).toBeGreaterThan(0);
          expect(offset + length).toBeLessThanOrEqual(sent.text.length);
        }
        expect(discord.body(one).content.length).toBeLessThanOrEqual(2000);
        expect(discord.body(one).content.match(/```/g)?.length ?? 0).toSatisfy(
          (fences: number) => fences % 2 === 0,
        );
        expect(Buffer.byteLength(JSON.stringify(teams.body(one)))).toBeLessThan(28_000);
        const { blocks } = JSON.parse(JSON.stringify(slack.body(one)));
        const rows: unknown[][] = blocks.flatMap(
          (block: { rows?: unknown[][] }) => block.rows ?? [],
        );
        expect(rows.length).toBeLessThanOrEqual(100);
        expect(rows[0]?.length ?? 0).toBeLessThanOrEqual(20);
        expect(JSON.stringify(sent)).not.toMatch(/\\ud83d(?!\\ude00)/);
      }
    },
  );

  test('rows that do not fit are counted', () => {
    const { content: text } = discord.body({ ...content, table: large(500) });
    const shown = text.match(/^\d+ x/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(3);
    expect(text).toContain(`… ${500 - shown} more rows`);
  });
});

describe('a hostile text', () => {
  const evil: Content = {
    text: hostile,
    subject: hostile,
    facts: [[hostile, hostile]],
    table: { ...table, columns: [{ name: hostile, isNumber: false }], rows: [[hostile]] },
    command: hostile,
    document: {},
  };

  test('mentions nobody and has no markup on Discord', () => {
    const { content: text, allowed_mentions: mentions } = discord.body(evil);
    expect(mentions).toEqual({ parse: [] });
    const outside = text.replaceAll(/```\n[^]*?\n```/g, '');
    expect(outside).not.toMatch(/(?<!\\)(?:\\\\)*[@<[`#>|~]/);
    expect(text.match(/^```$/gm)?.length).toBe(4);
  });

  test('is text without entities on Telegram', () => {
    const { text, entities } = JSON.parse(JSON.stringify(telegram.body(evil)));
    expect(text.replaceAll(/@\u2060/g, '')).not.toBe(text);
    expect(new Set(entities.map(({ type }: { type: string }) => type))).toEqual(
      new Set(['bold', 'code', 'pre']),
    );
    expect(JSON.stringify(telegram.body(evil))).not.toContain('parse_mode');
  });

  test('is escaped in the HTML of an e-mail', () => {
    const text = mailHtml({ ...evil, link: 'https://x/"><script>' });
    expect(text).not.toMatch(/<b>|<!channel>|<u>|<script|"><s/);
    expect(text).not.toContain('\u202e');
  });

  test('is text in Slack and Teams', () => {
    const [a, b] = [slack.body(evil), teams.body(evil)].map((body) => JSON.stringify(body));
    expect(a).toContain('"text":"@everyone &lt;!channel&gt;');
    expect(a).not.toMatch(/mrkdwn":true|"type":"mrkdwn"/);
    expect(b).not.toContain('"TextBlock"');
  });
});
