import { describe, expect, test, vi } from 'vitest';
import { minute, standingClock } from '../../src/base/clock.ts';
import { jsonLine } from '../../src/base/text.ts';
import { themeOf } from '../../src/report/terminal/theme.ts';
import { linesScreen } from '../../src/cli/screens/lines.ts';
import { stepText, widthsOf } from '../../src/report/terminal/step-text.ts';
import { runLines } from '../../src/report/terminal/run-lines.ts';
import { summaryLines } from '../../src/report/terminal/summary.ts';
import {
  follow,
  openStep,
  pendingRows,
  rowsOf,
  titleOf,
} from '../../src/report/terminal/window.ts';
import type { Channel } from '../../src/report/terminal/terminal.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import { ActionAccounts } from '../../src/report/action-accounts.ts';
import { summaryOf } from '../../src/report/summary.ts';
import * as runs from '../support/entries.ts';

const plain = themeOf({}, { LANG: 'C.UTF-8' });
const coloured = themeOf({ isTTY: true, columns: 110 }, { TERM: 'xterm', LANG: 'C.UTF-8' });

function paper(): Channel & { readonly lines: string[] } {
  const lines: string[] = [];
  const line = (text = ''): number => lines.push(text);
  const json = (value: unknown): number => line(jsonLine(value));
  return { theme: plain, lines, line, json, command: line, write: () => undefined };
}

async function linesOf(entries: readonly Entry[], isGithub = false): Promise<string[]> {
  const out = paper();
  const clock = { ...standingClock(0), sleep: untilAborted };
  const screen = linesScreen(out, { clock, isVerbose: false, isGithub });
  for (const entry of entries) screen.show(entry);
  await screen.close();
  return out.lines;
}

function untilAborted(_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

describe('lines without a terminal', () => {
  test('has one for each change', async () => {
    expect((await linesOf(runs.doneRun())).join('\n')).toMatchSnapshot();
  });

  test('annotates a refusal and a doubt for GitHub', async () => {
    const refused = await linesOf(runs.stoppedRun(), true);
    const doubt = await linesOf(runs.doubtRun(), true);
    expect([...refused, ...doubt].filter((line) => line.startsWith('::'))).toMatchSnapshot();
  });

  test('prints a progress line every minute', async () => {
    const out = paper();
    const clock = standingClock(0);
    let beats = 0;
    const beating = {
      ...clock,
      sleep: async (ms: number, signal?: AbortSignal) => {
        if (beats++ === 2) return untilAborted(ms, signal);
        await clock.sleep(ms, signal);
      },
    };
    const screen = linesScreen(out, { clock: beating, isVerbose: false, isGithub: false });
    for (const entry of runs.killedRun()) screen.show(entry);
    await vi.waitFor(() => expect(clock.now()).toBe(2 * minute));
    await screen.close();
    expect(out.lines.slice(-1)).toEqual(['00:02:00 … still running: ladder[61000.0]']);
  });

  test('names in it the step that began last, also without a line', async () => {
    const lines = runLines({ isVerbose: false });
    const entries = runs.doneRun();
    const begun = entries.filter(({ kind }) => kind === 'opened' || kind === 'intended');
    expect(begun.length).toBeGreaterThan(3);
    for (const entry of entries) {
      lines.add(entry);
      if (entry.kind === 'opened') expect(lines.last()).toBe(entry.step);
      if (entry.kind === 'intended') expect(lines.last()).toBe(entry.address);
    }
  });

  test('does not repeat what a resumed run did before', async () => {
    const out = paper();
    const entries = runs.resumedRun();
    const cut = entries.findIndex(({ kind }) => kind === 'resumed');
    const clock = { ...standingClock(0), sleep: untilAborted };
    const screen = linesScreen(out, { clock, isVerbose: false, isGithub: false });
    screen.recall(entries.slice(0, cut));
    for (const entry of entries.slice(cut)) screen.show(entry);
    await screen.close();
    expect(out.lines[0]).toContain('resumed');
    expect(out.lines.join('\n')).toContain('5 of 5');
    expect(out.lines.join('\n')).not.toContain('subs[alpha]');
  });
});

describe('the last screen', () => {
  test.each([
    ['done', runs.doneRun],
    ['stopped', runs.stoppedRun],
    ['in doubt', runs.doubtRun],
    ['interrupted', runs.interruptedRun],
    ['killed', runs.killedRun],
  ])('of a run that is %s answers five questions', (_name, make) => {
    const lines = summaryLines(summaryOf(make()), plain);
    expect(lines.join('\n')).toMatchSnapshot();
    for (const answer of ['Done', 'Refused', 'In doubt', 'Not sent', 'Next']) {
      expect(lines.some((line) => line.trimStart().startsWith(answer))).toBe(true);
    }
  });

  test('shows a doubt in its own color', () => {
    const [headline = ''] = summaryLines(summaryOf(runs.doubtRun()), coloured);
    expect(headline).toContain('\u001b[1m\u001b[35m? Stopped with 1 order in doubt');
  });

  test('shows LIVE', () => {
    expect(summaryLines(summaryOf(runs.doubtRun()), plain)[0]).toContain('LIVE mm-main');
  });

  test('shows the failed items of a failed step', () => {
    const { steps } = summaryOf(runs.stoppedRun());
    const lines = steps.flatMap((step) => stepText(step, widthsOf(steps), plain));
    expect(lines.join('\n')).toMatchSnapshot();
  });
});

describe('the live window', () => {
  const opened = runs.doneRun().find((entry) => entry.kind === 'opened' && entry.step === 'ladder');

  test('shows failed and running items first, and counts the rest', () => {
    if (opened?.kind !== 'opened') throw new Error('the run has no ladder');
    const items = Array.from({ length: 200 }, (_item, index) => String(index));
    const step = openStep({ ...opened, items }, 'futures/place-order', new ActionAccounts());
    const at = { seq: 1, at: 0, operation: 'futures/place-order' } as const;
    for (const item of items.slice(0, 12)) {
      const address = `ladder[${item}]`;
      follow(step, { ...at, kind: 'waited', address, why: 'limit', ms: 900 });
    }
    const because = 'connection reset';
    follow(step, {
      seq: 2,
      at: 0,
      kind: 'settled',
      address: 'ladder[0]',
      outcome: { kind: 'doubt', because },
    });
    expect([titleOf(step, plain), ...rowsOf(step, plain, 4, 0)]).toEqual([
      'ladder  futures/place-order  1 of 200',
      '✖ 0  connection reset',
      '· 1  wait  the limit of futures/place-order is used up, next slot in 1 s',
      '· 2  wait  the limit of futures/place-order is used up, next slot in 1 s',
      '… 9 more rows, 0 done, 188 waiting',
    ]);
  });
});

test('counts down waits and lists steps that have not started', () => {
  const opened = { seq: 1, at: 0, kind: 'opened', step: 'pause' } as const;
  const step = openStep(opened, 'wait', new ActionAccounts());
  follow(step, { seq: 2, at: 1_000, kind: 'clock', address: 'pause', time: 0, ms: 90_000 });
  const at = (now: number) => rowsOf(step, plain, 4, now);
  expect([at(1_000), at(31_500), at(90_999), at(95_000)].flat()).toEqual([
    'waits 90 s',
    'waits 60 s',
    'waits 1 s',
    'waits 0 s',
  ]);
  const pending = ['orders', 'verify', 'report'].map((id) => ({ id, uses: 'wait' }));
  expect(pendingRows(pending, plain, 5)).toEqual(pending.map(({ id }) => `○ ${id}  wait`));
  expect(pendingRows(pending, plain, 2)).toEqual(['○ orders  wait', '… 2 more steps']);
});

describe('text from other users', () => {
  test('cannot draw, break lines or change the text direction', async () => {
    const evil = '\u001b[2J\u0007\r\n\u202eabc\u2028';
    const entries = runs.stoppedRun().map((entry): Entry => {
      if (entry.kind === 'settled' && entry.outcome.kind === 'refused') {
        return { ...entry, outcome: { ...entry.outcome, message: evil } };
      }
      return entry.kind === 'closed' && entry.because ? { ...entry, because: evil } : entry;
    });
    const shown = [
      ...(await linesOf(entries, true)),
      ...summaryLines(summaryOf(entries), plain),
    ].join('\n');
    // oxlint-disable-next-line no-control-regex
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
  });
});
