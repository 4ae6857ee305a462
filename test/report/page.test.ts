import { describe, expect, test } from 'vitest';
import { html } from '../../src/report/page/html.ts';
import { runReport } from '../../src/report/page/page.ts';
import {
  approvedBasis,
  approvedRun,
  doneRun,
  doubtRun,
  killedRun,
  resumedRun,
  stoppedRun,
  warnedRun,
} from '../support/entries.ts';
import { started } from '../support/desk-setup.ts';
import { hostile, hostileRun, longRun } from '../support/hostile.ts';
import { tape } from '../support/tape.ts';

const printing = { program: 'deskhand 0.1.0', contract: 'c0ffee' };
const page = runReport(stoppedRun(), printing);

/** What a reader sees, without tags and style. */
const textOf = (markup: string): string =>
  markup
    .replace(/<style>[^]*?<\/style>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the content of the page', () => {
  test('has the outcome, the answers and why it stopped', () => {
    const text = textOf(page);
    for (const words of [
      'SANDBOX',
      'stopped at step 3 of 5',
      'ladder[60500.0] was refused by the exchange; nothing is in doubt.',
      '3 sub-accounts created',
      '40762 The order size is greater than the max open size',
      '↳ sent as 9.000',
      'deskhand resume r-8p0a',
      'started 2026-11-20 00:41:07 UTC',
      '544,500.00 USDT',
      'deskhand 0.1.0',
    ]) {
      expect(text).toContain(words);
    }
  });

  test('names approvers, commit and scheduled time', () => {
    for (const words of [
      'approved by ana@desk.example and ben@desk.example commit 4f1c2e9a0b77… scheduled for 2026-11-20 00:41:00 UTC',
      'Approved by ana@desk.example, 2026-11-20 00:30:00 UTC, SHA256:aaa ben@desk.example,',
      `Commit ${approvedBasis.commit} Scheduled for 2026-11-20 00:41:00 UTC`,
    ]) {
      expect(textOf(runReport(approvedRun(), printing))).toContain(words);
    }
    expect(textOf(page)).not.toMatch(/approved by|commit|scheduled for/i);
  });

  test('a count names its unit, because a step may have many actions', () => {
    expect(textOf(page)).toContain('Done 8 actions 3 sub-accounts created');
    expect(textOf(page)).toContain('Refused 1 action BTCUSDT');
    expect(textOf(page)).toContain('In doubt 0 nothing is in doubt');
  });

  test('a doubt is shown with its clientOid, and LIVE is on the page', () => {
    const text = textOf(runReport(doubtRun(), printing));
    expect(text).toMatch(/^[^]*LIVE mm-main/);
    expect(text).toContain('clientOid dh5im7fgtkexfufi4gmeynfycqss');
    expect(text).toContain('sent 2026-11-20 00:41:09.120 UTC');
    expect(text).toContain('Nothing is sent again until its outcome is known.');
  });

  test('doubts that are not listed are counted', () => {
    const many = doubtRun().flatMap((entry) =>
      'address' in entry && entry.address === 'ladder[61000.0]'
        ? Array.from({ length: 103 }, (_none, at) => ({ ...entry, address: `ladder[${at}]` }))
        : [entry],
    );
    expect(textOf(runReport(many, printing))).toContain('3 more deskhand runs show r-9d1f');
    expect(textOf(runReport(doubtRun(), printing))).not.toMatch(/\d more deskhand/);
  });

  test('waits, pauses, lookups and lost responses are on the timeline', () => {
    const kinds = (markup: string): string[] => [
      ...new Set(
        [...markup.matchAll(/<i class="([a-z-]+)" style="left/g)].map(([, kind]) => kind ?? ''),
      ),
    ];
    expect(kinds(runReport(doneRun(), printing))).toEqual([
      'whole',
      'request',
      'limit',
      'retry',
      'poll',
    ]);
    expect(kinds(runReport(doubtRun(), printing))).toEqual(['whole', 'request', 'lost', 'look-up']);
    expect(kinds(page)).toEqual(['whole', 'request', 'refused']);
    expect(runReport(resumedRun(), printing)).toContain('>resumed</em>');
    expect(textOf(runReport(resumedRun(), printing))).toContain('in 2 sessions');
    expect(textOf(runReport(killedRun(), printing))).toContain('no response is recorded');
  });

  test('nothing is outside the timeline', () => {
    for (const run of [doneRun(), doubtRun(), killedRun(), resumedRun()]) {
      const bars = runReport(run, printing).matchAll(/left:([-\d.]+)%;width:([-\d.]+)%/g);
      for (const [, left, width] of bars) {
        expect(Number(left)).toBeGreaterThanOrEqual(0);
        expect(Number(width)).toBeGreaterThanOrEqual(0);
        expect(Number(left) + Number(width)).toBeLessThanOrEqual(100.02);
      }
    }
  });

  test('the machine-readable part is JSON and contains the summary', () => {
    const [, machine = ''] = /id="machine"[^>]*>([^]*?)<\/pre>/.exec(page) ?? [];
    const signs: Record<string, string> = {
      amp: '&',
      lt: '<',
      gt: '>',
      quot: '"',
      '#39': "'",
      '#96': '`',
    };
    const text = machine.replace(/&(#?\w+);/g, (_, name: string) => signs[name] ?? '');
    expect(JSON.parse(text)).toMatchObject({ version: 1, summary: { run: 'r-8p0a', exit: 1 } });
  });
});

test('a step with more requests than a function can take arguments has a page', () => {
  const on = tape().add(started('r-polls'), { kind: 'opened', step: 'fills' });
  const poll = {
    kind: 'waited',
    address: 'fills',
    operation: 'order/list-open',
    why: 'poll',
  } as const;
  for (let polls = 0; polls < 150_000; polls++) on.add({ ...poll, ms: 1 });
  on.add({ kind: 'closed', step: 'fills', status: 'done' });
  expect(textOf(runReport(on.entries, printing))).toContain('asked 150001 times');
});

describe('the page is safe and self-contained', () => {
  test('it allows only its own styles and loads nothing', () => {
    expect(page).toContain(
      'content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"',
    );
    expect(page).not.toMatch(
      /<script|<link|<img|<iframe|<form|\ssrc=|\shref=|url\(|@import|\son\w+=/i,
    );
  });

  test('hostile texts stay texts', () => {
    const attacked = runReport(hostileRun(), { program: hostile, contract: hostile });
    expect(attacked).not.toMatch(/<script|<img|<\/pre><\/script>/i);
    const tags = (markup: string): string[] =>
      [...new Set([...markup.matchAll(/<([a-z0-9]+)/g)].map(([, tag]) => tag ?? ''))].sort();
    const known = [runReport(doneRun(), printing), runReport(doubtRun(), printing), page].flatMap(
      tags,
    );
    expect(known).toEqual(expect.arrayContaining(tags(attacked)));
    // No attribute was opened or closed by a foreign quote.
    const withoutValues = attacked.replace(/="[^"]*"/g, '');
    expect(withoutValues).not.toMatch(/<[^>]*(\son\w+|["'=])[^<]*>/);
  });

  test('control and bidirectional characters are escaped', () => {
    const attacked = runReport(hostileRun(), printing);
    const control = /[^\P{C}\n]|\p{Zl}|\p{Zp}/u; // controls, marks of direction, unassigned
    expect(attacked).not.toMatch(control);
    expect(attacked).toContain('\\u202e\\u001b[31m');
  });

  test('values in markup are escaped, markup is not, lists are joined', () => {
    const inner = html`<b>${'<'}</b>`;
    expect(String(html`<a title="${'"&\''}">${[inner, undefined, 1]}${'\n'}</a>`)).toBe(
      '<a title="&quot;&amp;&#39;"><b>&lt;</b>1\\u000a</a>',
    );
  });
});

describe('the page is accessible', () => {
  const pages = [page, runReport(doneRun(), printing), runReport(doubtRun(), printing)];

  test('ids are unique, labels point to them, headings do not skip levels', () => {
    for (const markup of pages) {
      const ids = [...markup.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const [, label] of markup.matchAll(/aria-labelledby="([^"]+)"/g))
        expect(ids).toContain(label);
      expect([...markup.matchAll(/<h1/g)]).toHaveLength(1);
      expect(markup).not.toMatch(/<h[3-6]/);
      expect(markup).toMatch(/<html lang="en">/);
    }
  });

  test('every state has a word in addition to its color', () => {
    for (const markup of pages) {
      for (const [, badge] of markup.matchAll(/<span class="pill[^>]*>([^]*?)<\/span>/g)) {
        expect(textOf(badge ?? '').trim()).not.toBe('');
      }
      const signs = [...markup.matchAll(/<svg[^>]*>/g)].map(([sign]) => sign);
      for (const sign of signs) expect(sign).toContain('aria-hidden="true"');
    }
  });
});

describe('the page is reproducible', () => {
  test('equal entries give equal bytes', () => {
    expect(runReport(stoppedRun(), printing)).toBe(page);
    const again = runReport(structuredClone(stoppedRun()), printing);
    expect(again).toBe(page);
  });

  test('of very many warnings the first are shown, and the rest is counted', () => {
    const warned = runReport(warnedRun(1_000), printing);
    expect(warned.match(/<b>nothing came<\/b>/g)).toHaveLength(100);
    expect(textOf(warned)).toContain('900 more deskhand runs show r-warned');
  });

  test('a run of 5,000 orders gives a page of a few megabytes that counts what it omits', () => {
    const long = runReport(longRun(5_000), printing);
    expect(long.length).toBeLessThan(5_000_000);
    const text = textOf(long);
    // Compared as truths: a failure would print the whole page.
    for (const words of [
      '4999 of 5000 orders placed',
      '4000 more rows: deskhand runs show r-long',
      '3000 more rows: deskhand runs show r-long --requests',
      'LASTUSDT open long', // the refused one exists first
      'without orders and steps',
    ]) {
      expect([words, text.includes(words)]).toEqual([words, true]);
    }
    // What the time line omits is in the table that its link leads to.
    expect(/<a href="#orders">… \d+ more<\/a>/.test(long)).toBe(true);
    expect(long.includes('id="orders"')).toBe(true);
  });
});
