import { describe, expect, test } from 'vitest';
import { planMarkdown } from '../../src/report/markdown/plan-comment.ts';
import { checkedMarkdown } from '../../src/report/markdown/checked.ts';
import { runMarkdown } from '../../src/report/markdown/run-comment.ts';
import { code, codeBlock, marker, prose } from '../../src/report/markdown/text.ts';
import { fitted } from '../../src/report/markdown/fit.ts';
import { approvedBasis, approvedRun, stoppedRun, warnedRun } from '../support/entries.ts';
import type { Problem } from '../../src/language/problem.ts';
import { hostile, hostileRun, longRun } from '../support/hostile.ts';
import { samplePlan } from '../support/plans.ts';

test('a plan without waits says so, as on the screen', () => {
  const plan = samplePlan();
  const text = planMarkdown({ ...plan, totals: { ...plan.totals, requests: 1, seconds: 0.05 } });
  expect(text).toContain(' · about 1 request, no wait at the limits · ');
});

test('a run is rendered as a comment', () => {
  expect(runMarkdown(stoppedRun())).toMatchInlineSnapshot(`
    "<!-- deskhand:run:desk-setup -->

    ### ✖ desk-setup: stopped at step 3 of 5

    **SANDBOX** · account \`sandbox\` · run \`r-8p0a\` · plan \`p-41c9d2aa\` · started 2026-11-20 00:41:07 UTC · took 1.7 s · sent 9 requests

    **ladder\\[60500.0\\] was refused by the exchange; nothing is in doubt.** 3 sub-accounts created, leverage set and 4 of 5 orders placed. Steps 4–5 were not sent.

    **Why it stopped:** \`40762 The order size is greater than the max open size\`, the exchange’s response to the request of \`ladder[60500.0]\`: BTCUSDT open long 9.000 @ 60,500.0, post\\_only, crossed

    \`\`\`
      24 |   - id: ladder
       ⋮ | 
      36 |       orderType: limit
      37 |       force: post_only
      38 |       price: "{{ each.value.price }}"
    > 39 |       size: "{{ each.value.size }}"
    >    |       ↳ sent as 9.000
    \`\`\`

    \`playbooks/desk-setup.yaml:39\`: lower the size or fund the account

    | State | What | Detail |
    | --- | --- | --- |
    | ✖ refused | **BTCUSDT open long 9.000 @ 60,500.0, post\\_only, crossed** | \`40762\` The order size is greater than the max open size, clientOid \`dh7zhhgz677p37yeaixyethpeqvj\` |
    | ✔ done | **3 sub-accounts created** | alpha, bravo, charlie |
    | ✔ done | **leverage set** | USDT-FUTURES 5× |
    | ✔ done | **4 of 5 orders placed** | 2,445.00 USDT |
    | ○ not sent | **steps 4–5** | verify, volume |

    <details><summary>5 orders, 2,445.00 USDT placed</summary>

    | State | Order | Size | Price | Terms | Notional | clientOid, orderId | Evidence |
    | --- | --- | --: | --: | --- | --: | --- | --- |
    | ✖ refused | BTCUSDT open long | 9.000 | 60,500.0 | post\\_only, crossed | 544,500.00 USDT | \`dh7zhhgz677p37yeaixyethpeqvj\`, no orderId | answer 40762 2026-11-20 00:41:08 UTC |
    | ✔ placed | BTCUSDT open long | 0.010 | 61,500.0 | post\\_only, crossed | 615.00 USDT | \`dhqqhvddzo5uoktyl6ytnnhfnece\`, \`1279045531020\` | answered 2026-11-20 00:41:08 UTC |
    | ✔ placed | BTCUSDT open long | 0.010 | 61,250.0 | post\\_only, crossed | 612.50 USDT | \`dhqfgfdqj4ohzyjvrtvncuawszqx\`, \`1279045531027\` | answered 2026-11-20 00:41:08 UTC |
    | ✔ placed | BTCUSDT open long | 0.010 | 61,000.0 | post\\_only, crossed | 610.00 USDT | \`dh5im7fgtkexfufi4gmeynfycqss\`, \`1279045531034\` | answered 2026-11-20 00:41:08 UTC |
    | ✔ placed | BTCUSDT open long | 0.010 | 60,750.0 | post\\_only, crossed | 607.50 USDT | \`dhps5slwbjwcq5aod6w72cxprssc\`, \`1279045531041\` | answered 2026-11-20 00:41:08 UTC |

    </details>

    **Next**
    - \`deskhand resume r-8p0a\` sends only what is not done; the playbook is unchanged
    - \`deskhand runs set-aside r-8p0a --reason WHY\` if the playbook must change: then a new run does only the rest
    - \`deskhand runs show r-8p0a --requests\` shows what was sent and when
    "
  `);
});

test('a comment names approvers, commit and scheduled time', () => {
  expect(runMarkdown(approvedRun())).toContain(
    `plan \`p-41c9d2aa\` · approved by ana@<!-- -->desk.example and ben@<!-- -->desk.example · commit \`${approvedBasis.commit}\` · scheduled for 2026-11-20 00:41:00 UTC · started `,
  );
});

test('a plan as a comment: violated guards first, writes before reads', () => {
  expect(planMarkdown(samplePlan())).toMatchInlineSnapshot(`
    "<!-- deskhand:plan:playbooks/desk-setup.yaml -->

    ### Plan \`p-41c9d2aa\`: desk-setup

    **LIVE** \`mm-main\` · \`playbooks/desk-setup.yaml\` · read 2026-11-20 00:41:07 UTC, nothing sent

    **5 to create, 1 to set, 1 unchanged** · about 34 requests, 6 s at the limits · 5 orders, notional 3,075.00 · open after: 15 of 400

    - ✖ **guard** \`max-distance\`: ladder\\[60500.0\\] is 97.84 % away from the mark price

    **This plan cannot run.**

    Guards: \`max-writes\` 6 of 20

    |  | Step | Action | Notional | Detail |
    | --- | --- | --- | --: | --- |
    | \`=\` | \`subs\` | \`sub-account alpha\` |  | created before; from ledger, run r-6x0p |
    | \`~\` | \`leverage\` | \`leverage USDT-FUTURES (after subs)×\` |  | ? → (after subs)×; only symbols with an open position change; cannot be read back, no undo |
    | \`+\` | \`ladder\` | \`BTCUSDT open long 0.010 @ 61,500.0, post_only, crossed\` | 615.00 | -0.83 % from mark 62,014.5 |
    | \`+\` | \`ladder\` | \`BTCUSDT open long 0.010 @ 61,250.0, post_only, crossed\` | 615.00 | -0.83 % from mark 62,014.5 |
    | \`+\` | \`ladder\` | \`BTCUSDT open long 0.010 @ 61,000.0, post_only, crossed\` | 615.00 | -0.83 % from mark 62,014.5 |
    | \`+\` | \`ladder\` | \`BTCUSDT open long 0.010 @ 60,750.0, post_only, crossed\` | 615.00 | -0.83 % from mark 62,014.5 |
    | \`+\` | \`ladder\` | \`BTCUSDT open long 0.010 @ 60,500.0, post_only, crossed\` | 615.00 | -0.83 % from mark 62,014.5 |
    |  | \`later\` | \`futures/place-order\` |  |  |
    | \`→\` | \`volume\` | \`volume\` |  | about 12 requests; writes out/volume.csv |

    Written by \`ann@desk.example\`

    Created and set items cannot be undone here. It can be run once, as \`r-7k2m\`, until 2026-11-20 00:56:07 UTC. Plan digest \`64879f7d6b960a01909762d911a32d4582c20010c5641ee90278b644a9e3b525\`.
    "
  `);
});

test('it has no links, because no host knows the paths of a page', () => {
  const pages = [
    runMarkdown(stoppedRun()),
    runMarkdown(hostileRun()),
    planMarkdown(samplePlan()),
    checkedMarkdown([{ file: 'a.yaml', problems: [problem('[x](./y) <a href=y>')] }]),
  ];
  for (const page of pages) {
    const shown = page.replaceAll(/(`+)[^`][\s\S]*?\1/g, ''); // code is shown as it is
    expect(shown).not.toMatch(/(?<!\\)\]\(|<(?:a|img|link)\b/i);
  }
});

/** A problem that says what somebody wrote. */
function problem(message: string): Problem {
  const place = { offset: 0, line: 1, column: 1 };
  return {
    code: 'PB101',
    level: 'error',
    message,
    at: { file: 'a.yaml', start: place, end: place },
  };
}

describe('size', () => {
  test.each([10, 300, 5_000])('of %i orders shows whole rows and counts the rest', (orders) => {
    const text = runMarkdown(longRun(orders));
    expect(text.length).toBeLessThanOrEqual(60_000);
    const rows = text.split('\n').filter((line) => line.includes('`dh') || line.includes('USDT`'));
    for (const row of rows) expect(row).toMatch(/^\| .* \|$/);
    const [, left = '0'] = /… (\d+) more row/.exec(text) ?? [];
    const shown = text
      .split('\n')
      .filter((line) => /^\| . (placed|refused) \| [A-Z]/.test(line)).length;
    expect(shown + Number(left)).toBe(orders);
    expect(text).toContain('| ✖ refused | LASTUSDT open long |');
  });

  test('a plan of very many orders fits, too', () => {
    const text = planMarkdown(samplePlan(4_000));
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text).toMatch(/… \d+ more rows: `deskhand plan FILE --full` shows all/);
    expect(text.length).toBeGreaterThan(55_000);
  });

  test('omitted guards and warnings are counted', () => {
    const plan = samplePlan();
    const many = (isKept: boolean) =>
      plan.guards.slice(0, 1).flatMap((guard) => Array(23).fill({ ...guard, isKept }));
    const text = planMarkdown({ ...plan, guards: [...many(false), ...many(true)] });
    expect(text.match(/^- ✖ \*\*guard/gm)).toHaveLength(20);
    expect(text).toContain('\n- … 3 more\n\n**This plan cannot run.**');
    expect(text).toMatch(/^Guards: .*, and 3 more$/m);
    const run = runMarkdown(warnedRun(23));
    expect(run.match(/^- ! \*\*nothing came/gm)).toHaveLength(20);
    expect(run).toContain('\n- … 3 more\n');
  });

  test('rows are omitted from the first that does not fit', () => {
    const rows = ['| a |', '| b |', '| c |'];
    const table = { head: ['| h |'], rows, more: (left: number) => `${left} left` };
    expect(fitted(['top', table], 1_000)).toBe('top\n\n| h |\n| a |\n| b |\n| c |\n');
    const room = 'top'.length + 2 + '| h |\n\n3 left'.length + 2 + 2 * '| a |\n'.length;
    expect(fitted(['top', table], room)).toBe('top\n\n| h |\n| a |\n| b |\n\n1 left\n');
  });
});

describe('text of other users', () => {
  test('stays in its cell and is neither markup nor mention', () => {
    const text = runMarkdown(hostileRun());
    const outside = text.replace(/(`+)[^`][^]*?\1(?!`)/g, ''); // without code spans
    expect(outside).not.toMatch(/<script|<img/);
    expect(outside).not.toMatch(/@everyone|www\.evil|http:\/\/|(^|\s)#1/);
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u2028-\u202e]/);
    const [head = ''] = text.split('\n');
    expect(head).toMatch(/^<!-- deskhand:run:[A-Za-z0-9._/-]+ -->$/);
    expect(head.slice(4, -3)).not.toContain('--');
  });

  test('code spans can contain backticks and pipes, blocks can contain fences', () => {
    expect(code('a`b|c')).toBe('``a`b\\|c``');
    expect(code('`a``')).toBe('``` `a`` ```');
    expect(code('')).toBe('');
    expect(codeBlock(['```', 'x'])).toBe('````\n```\nx\n````');
  });

  test('prose loses its markup characters', () => {
    expect(prose('a*b_[c](http://d) <e> @f #1')).toBe(
      'a\\*b\\_\\[c\\](http:<!-- -->//d) &lt;e&gt; @<!-- -->f #<!-- -->1',
    );
  });

  test('a marker finds the same comment again, with any name', () => {
    expect(marker('plan', 'playbooks/desk.yaml')).toBe(
      '<!-- deskhand:plan:playbooks/desk.yaml -->',
    );
    expect(marker('plan', 'a --> b')).toBe('<!-- deskhand:plan:a-b -->');
    expect(marker('run', hostile)).toBe(marker('run', hostile));
  });
});
