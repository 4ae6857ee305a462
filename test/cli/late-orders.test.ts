/** What screens and logs show while an order whose response is missing may still arrive. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { hour, minute, second, standingClock, type Millis } from '../../src/base/clock.ts';
import { countdown } from '../../src/cli/run-log/countdown.ts';
import { runLines } from '../../src/report/terminal/run-lines.ts';
import { terminalOver } from '../../src/report/terminal/terminal.ts';
import { themeOf } from '../../src/report/terminal/theme.ts';
import { follow, openStep, rowsOf } from '../../src/report/terminal/window.ts';
import { ActionAccounts } from '../../src/report/action-accounts.ts';
import { lateOrders } from '../../src/report/late-orders.ts';
import type { Entry, Event } from '../../src/engine/journal/entry.ts';
import { started } from '../support/desk-setup.ts';
import { startOfRuns, tape, type Tape } from '../support/tape.ts';
import { written } from './inside.ts';

const address = 'ladder[61000.0]';
const opened: Event = { kind: 'opened', step: 'ladder', items: ['61000.0'] };
const intent = (signedAt: Millis): Event => ({
  kind: 'intended',
  address,
  operation: 'futures/place-order',
  input: {},
  identity: 'x',
  attempt: 1,
  signedAt,
});
const looks: Event = {
  kind: 'waited',
  address,
  operation: 'order/list-open',
  why: 'look-up',
  ms: 3 * second,
  because: 'clientOid x is not there yet',
};

/** Killed after its intent; another machine, whose clock is an hour behind, continues ten seconds later. */
function takenOver(later = 0): Entry[] {
  const on = tape().add(started('r-1'), opened, intent(startOfRuns));
  const now = startOfRuns + 10 * second;
  on.wait(10 * second - hour + later).add(
    { kind: 'resumed' },
    { kind: 'taken-over', host: 'desk-1', since: startOfRuns, until: now, isListed: true },
    opened,
  );
  return looked(on, 20).entries;
}

function looked(on: Tape, times: number): Tape {
  for (let look = 0; look < times; look++) on.add(looks).wait(3 * second);
  return on;
}

const words = 'waiting until 23:41:57, because an order of ladder may still arrive';

test('a log has one line for the whole wait, by the clock of the machine that waits', () => {
  const lines = runLines({ isVerbose: false });
  const said = takenOver().flatMap((entry) => lines.add(entry));
  const waits = said.filter((line) => line.includes('look-up'));
  // Fifty seconds after the signature: thirty for its validity, ten in which it may not be listed yet, and
  // the same again between two searches. What takes longer is shown as before.
  expect(waits[0]).toMatch(new RegExp(`^23:41:17 ladder\\[61000.0\\] +look-up +${words}$`));
  expect(waits.slice(1).every((line) => line.includes('is not there yet'))).toBe(true);
  expect(waits).toHaveLength(1 + 6);
  const verbose = runLines({ isVerbose: true });
  const all = takenOver().flatMap((entry) => verbose.add(entry));
  expect(all.filter((line) => line.includes('look-up'))).toHaveLength(20);
});

test('a run that is taken over long after its lease waits for no order that was sent before', () => {
  const lines = runLines({ isVerbose: false });
  const said = takenOver(2 * hour).flatMap((entry) => lines.add(entry));
  const waits = said.filter((line) => line.includes('look-up'));
  expect(waits).toHaveLength(20);
  expect(waits.every((line) => line.includes('is not there yet'))).toBe(true);
});

test('each process that waits says so, whatever the one before it said', () => {
  const lines = runLines({ isVerbose: false });
  const [before, after] = [
    takenOver().slice(0, 7),
    looked(tape(takenOver().slice(0, 7)).add({ kind: 'resumed' }), 3),
  ];
  for (const entry of before) lines.recall(entry);
  const said = after.entries.slice(7).flatMap((entry) => lines.add(entry));
  expect(said.filter((line) => line.endsWith(words))).toHaveLength(1);
});

test('the window of a run counts down to its end', () => {
  const late = lateOrders();
  const entry = { ...opened, seq: 1, at: 0 } as Extract<Entry, { kind: 'opened' }>;
  const step = openStep(entry, 'futures/place-order', new ActionAccounts());
  for (const each of takenOver().slice(0, 7)) follow(step, each, late.add(each));
  const theme = themeOf({}, {}, false);
  const at = startOfRuns - hour + 20 * second;
  expect(rowsOf(step, theme, 5, at)).toEqual([
    `· 61000.0  ${words}, 30 s`.replace('·', theme.glyphs.dot),
  ]);
});

test.each([
  [
    'was accepted, and is searched to learn whether the lists show it',
    (on: Tape) =>
      on.add({
        kind: 'answered',
        address,
        operation: 'futures/place-order',
        attempt: 1,
        ms: 9,
        status: 200,
        code: '00000',
      }),
  ],
  ['was sent a minute ago', (on: Tape) => on.wait(minute)],
])('no order may still arrive that %s', (_what, then) => {
  const on = tape().add(started('r-1'), opened, intent(startOfRuns));
  const late = lateOrders();
  expect(looked(then(on), 2).entries.map((entry) => late.add(entry))).toEqual(
    on.entries.map(() => undefined),
  );
});

test('a log on a terminal has one line below it that is updated, and elsewhere none', () => {
  for (const [isTTY, shown] of [
    [true, [`${words}, 40 s`, `${words}, 39 s`]],
    [false, []],
  ] as const) {
    const stderr = Object.assign(new PassThrough(), { isTTY, columns: 120 });
    const stdout = new PassThrough();
    const { err } = terminalOver({
      stdin: () => new PassThrough(),
      stdout,
      stderr,
      env: {},
      wantsColour: false,
      wantsInput: false,
    });
    const clock = standingClock(startOfRuns - hour + 10 * second);
    const below = countdown(err, clock);
    for (const entry of takenOver().slice(0, 7)) below.add(entry);
    below.draw();
    clock.advance(second);
    below.draw();
    below.clear();
    clock.advance(minute);
    below.draw();
    expect(written(stderr)).toBe(shown.map((line) => `${line}\r\u001B[2K`).join(''));
  }
});
