import { describe, expect, test } from 'vitest';
import { spoken } from '../../src/base/text.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import { summaryOf, type Summary } from '../../src/report/summary.ts';
import {
  doneRun,
  doubtRun,
  interruptedRun,
  killedRun,
  resumedRun,
  stoppedRun,
} from '../support/entries.ts';
import { started } from '../support/desk-setup.ts';
import { tape } from '../support/tape.ts';

/** A summary as people see it: the answers, one a line. */
function shown(summary: Summary): string {
  const { headline, lead, rest, requests, retries, longestWait, stop } = summary;
  const waited = longestWait ? `, longest wait ${spoken(longestWait.ms)} ${longestWait.why}` : '';
  return [
    headline,
    `${lead} ${rest}`,
    ...summary.done.map(({ text, detail }) => `+ ${text} | ${detail}`),
    ...summary.refused.map(({ what, code, message }) => `x ${what} | ${code} ${message}`),
    ...summary.inDoubt.map(
      ({ what, clientOid, because, lists }) =>
        `? ${what} | ${clientOid} ${because} | ${lists.join()}`,
    ),
    ...summary.notSent.map(({ text, detail }) => `o ${text} | ${detail}`),
    ...summary.skipped.map(({ text, detail }) => `- ${text} | ${detail}`),
    ...(stop ? [`stop ${stop.address} ${stop.by} ${stop.file}:${stop.line ?? ''}`] : []),
    ...summary.warnings.map(({ address, message, line }) => `! ${address}:${line} ${message}`),
    ...summary.files.map(({ file, rows, bytes, pages }) => `> ${file} ${rows} ${bytes} ${pages}`),
    `${requests} requests, ${retries} retries${waited}`,
    ...summary.next.map(({ command, why }) => `$ ${command} # ${why}`),
  ].join('\n');
}

const summed = (entries: readonly Entry[]): string => shown(summaryOf(entries));

describe('the five answers', () => {
  test('of a run that is done', () => {
    expect(summed(doneRun())).toMatchInlineSnapshot(`
      "done in 4.7 s
      All 5 steps are done; nothing was refused and nothing is in doubt. 3 sub-accounts created, leverage set, 5 of 5 orders live, 1 read and 1 file with 214 rows.
      + 3 sub-accounts created | alpha, bravo, charlie
      + leverage set | USDT-FUTURES 5×
      + 5 of 5 orders live | 3,050.00 USDT
      + 1 read | verify
      + 1 file, 214 rows | out/volume-2026-11-20.csv (18.3 kB)
      ! volume:53 gt rows 500 is false
      > out/volume-2026-11-20.csv 214 18304 3
      15 requests, 1 retries, longest wait 1.0 s before the next poll
      $ deskhand runs show r-7k2m # shows this run"
    `);
  });
  test('of a run that stopped at a refused order', () => {
    expect(summed(stoppedRun())).toMatchInlineSnapshot(`
      "stopped at step 3 of 5
      ladder[60500.0] was refused by the exchange; nothing is in doubt. 3 sub-accounts created, leverage set and 4 of 5 orders placed. Steps 4–5 were not sent.
      + 3 sub-accounts created | alpha, bravo, charlie
      + leverage set | USDT-FUTURES 5×
      + 4 of 5 orders placed | 2,445.00 USDT
      x BTCUSDT open long 9.000 @ 60,500.0, post_only, crossed | 40762 The order size is greater than the max open size
      o steps 4–5 | verify, volume
      stop ladder[60500.0] exchange playbooks/desk-setup.yaml:39
      9 requests, 0 retries
      $ deskhand resume r-8p0a # sends only what is not done; the playbook is unchanged
      $ deskhand runs set-aside r-8p0a --reason WHY # if the playbook must change: then a new run does only the rest
      $ deskhand runs show r-8p0a --requests # shows what was sent and when"
    `);
  });
  test('of a run with an order in doubt', () => {
    expect(summed(doubtRun())).toMatchInlineSnapshot(`
      "stopped with 1 order in doubt
      1 order is in doubt: it may or may not have happened, and it is not sent again until its outcome is known. 3 sub-accounts created, leverage set and 2 of 5 orders placed. 2 orders and steps 4–5 were not sent.
      + 3 sub-accounts created | alpha, bravo, charlie
      + leverage set | USDT-FUTURES 5×
      + 2 of 5 orders placed | 1,227.50 USDT
      ? BTCUSDT open long 0.010 @ 61,000.0, post_only, crossed | dh5im7fgtkexfufi4gmeynfycqss the connection was reset before an answer | open and history orders do not show it up to 2026-11-20T00:41:22.020Z, in 5 looks
      o 2 orders | ladder[60750.0], ladder[60500.0]
      o steps 4–5 | verify, volume
      7 requests, 0 retries, longest wait 3.0 s before the next lookup
      $ deskhand resume r-9d1f # looks the order up by its clientOid, then continues
      $ deskhand resolve r-9d1f 'ladder[61000.0]' --placed ORDER_ID # you found it on the exchange
      $ deskhand resolve r-9d1f 'ladder[61000.0]' --absent # resume sends it again
      $ deskhand resolve r-9d1f 'ladder[61000.0]' --abandon # abandons it
      $ deskhand runs show r-9d1f --requests # shows what was sent and when"
    `);
  });
  test('of a run that was interrupted', () => {
    expect(summed(interruptedRun())).toMatchInlineSnapshot(`
      "interrupted at step 3 of 5
      The run was interrupted; nothing is in doubt. 3 sub-accounts created, leverage set and 2 of 5 orders placed. 3 orders and steps 4–5 were not sent.
      + 3 sub-accounts created | alpha, bravo, charlie
      + leverage set | USDT-FUTURES 5×
      + 2 of 5 orders placed | 1,227.50 USDT
      o 3 orders | ladder[61000.0], ladder[60750.0], ladder[60500.0]
      o steps 4–5 | verify, volume
      6 requests, 0 retries
      $ deskhand resume r-2c4x # continues where it ended; nothing is sent twice
      $ deskhand runs show r-2c4x --requests # shows what was sent and when"
    `);
  });
  test('of a run that was killed during a write', () => {
    expect(summed(killedRun())).toMatchInlineSnapshot(`
      "not finished, 1 order in doubt
      The journal ends before the run does. 1 order is in doubt: it may or may not have happened, and it is not sent again until its outcome is known. 3 sub-accounts created, leverage set and 2 of 5 orders placed. 2 orders and steps 4–5 were not sent.
      + 3 sub-accounts created | alpha, bravo, charlie
      + leverage set | USDT-FUTURES 5×
      + 2 of 5 orders placed | 1,227.50 USDT
      ? BTCUSDT open long 0.010 @ 61,000.0, post_only, crossed | dh5im7fgtkexfufi4gmeynfycqss no response is recorded | not read for it yet
      o 2 orders | ladder[60750.0], ladder[60500.0]
      o steps 4–5 | verify, volume
      7 requests, 0 retries
      $ deskhand resume r-5t8w # looks the order up by its clientOid, then continues
      $ deskhand resolve r-5t8w 'ladder[61000.0]' --placed ORDER_ID # you found it on the exchange
      $ deskhand resolve r-5t8w 'ladder[61000.0]' --absent # resume sends it again
      $ deskhand resolve r-5t8w 'ladder[61000.0]' --abandon # abandons it
      $ deskhand runs show r-5t8w --requests # shows what was sent and when"
    `);
  });
  test('of a run that was killed and resumed: only writes it reached count', () => {
    expect(summed(resumedRun())).toMatchInlineSnapshot(`
      "done in 2.1 s
      All 5 steps are done; nothing was refused and nothing is in doubt. 3 sub-accounts created, leverage set, 5 of 5 orders live, 1 read and 1 file with 214 rows.
      + 3 sub-accounts created | alpha, bravo, charlie
      + leverage set | USDT-FUTURES 5×
      + 5 of 5 orders live | 3,050.00 USDT
      + 1 read | verify
      + 1 file, 214 rows | out/volume-2026-11-20.csv (18.3 kB)
      ! volume:53 gt rows 500 is false
      > out/volume-2026-11-20.csv 214 18304 3
      13 requests, 0 retries
      $ deskhand runs show r-5t8w # shows this run"
    `);
  });
});

test('a nested playbook is not listed in doubt beside its own steps, whatever its key contains', () => {
  const on = tape().add(started('r-desks'));
  const doubt = { kind: 'doubt', because: 'no answer' } as const;
  for (const key of ['a', 'b/c', 'd[0]']) {
    const address = `desks[${key}]`;
    on.add({ kind: 'opened', step: `${address}/order` });
    on.add({ kind: 'settled', address: `${address}/order`, outcome: doubt });
    on.add({ kind: 'settled', address, outcome: doubt });
  }
  on.add({ kind: 'settled', address: 'desks[e]', outcome: doubt });
  const addresses = summaryOf(on.entries).inDoubt.map(({ address }) => address);
  expect(addresses.toSorted()).toEqual([
    'desks[a]/order',
    'desks[b/c]/order',
    'desks[d[0]]/order',
    'desks[e]',
  ]);
});

describe('steps', () => {
  test('have one line each, and one for each item', () => {
    const lines = summaryOf(stoppedRun()).steps.flatMap((step) => [
      `${step.number} ${step.id} ${step.status} ${spoken(step.ms)} ${step.detail}`,
      ...step.items.map(({ key, state, what, detail }) => `  ${key} ${state}: ${what}, ${detail}`),
    ]);
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "1 subs done 0.6 s 3 of 3
        alpha done: sub-account alpha, accountMode unified, subUid 903650
        bravo done: sub-account bravo, accountMode unified, subUid 903651
        charlie done: sub-account charlie, accountMode unified, subUid 903652
      2 leverage done 0.4 s USDT-FUTURES 5×
      3 ladder refused 0.7 s 4 of 5, 1 refused
        61500.0 done: BTCUSDT open long 0.010 @ 61,500.0, post_only, crossed, placed
        61250.0 done: BTCUSDT open long 0.010 @ 61,250.0, post_only, crossed, placed
        61000.0 done: BTCUSDT open long 0.010 @ 61,000.0, post_only, crossed, placed
        60750.0 done: BTCUSDT open long 0.010 @ 60,750.0, post_only, crossed, placed
        60500.0 refused: BTCUSDT open long 9.000 @ 60,500.0, post_only, crossed, 40762 The order size is greater than the max open size
      4 verify not-sent 0 ms not sent
      5 volume not-sent 0 ms not sent"
    `);
  });
});
