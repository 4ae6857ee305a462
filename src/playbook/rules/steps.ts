/** Rules of steps: their fields, their place among others, and what is probably a mistake. */
import type { RuleRows } from './row.ts';

export const stepRules = {
  PB201: [
    'unknown operation',
    'uses names one of the 18 operations of the exchange or a built-in step.',
    'uses: futures/place-ordr',
    'uses: futures/place-order',
  ],
  PB202: [
    'unknown field',
    'The operation has no such field; the exchange would ignore it and do something else than meant.',
    'with: { simbol: BTCUSDT }',
    'with: { symbol: BTCUSDT }',
  ],
  PB203: [
    'field is missing',
    'The operation needs this field, here or under the circumstances named.',
    'orderType: limit',
    'orderType: limit\nprice: "61500.0"',
  ],
  PB204: [
    'value against the contract',
    'The exchange’s interface does not allow this value.',
    'side: Buy',
    'side: buy',
  ],
  PB205: [
    'fields contradict each other',
    'Each field is allowed, but not both of them with these values.',
    'reduceOnly: YES\ntradeSide: close',
    'tradeSide: close',
  ],
  PB206: [
    'times out of reach',
    'The exchange keeps some records for a number of days only. What lies before is left out; a span that lies wholly before cannot be read.',
    'startTime: "{{ daysAgo 200 }}"\nendTime: "{{ daysAgo 100 }}"',
    'startTime: "{{ daysAgo 90 }}"\nendTime: "{{ run.time }}"',
  ],
  PB207: [
    'not as the symbol is traded',
    'The symbol, its margin coin, its steps, or its smallest and largest order. A sandbox tells them, so that a plan finds what would be refused; a live exchange does not, and its plan notes what is finer than the quotes.',
    'symbol: BTCUSDT\nsize: "0.0005"',
    'symbol: BTCUSDT\nsize: "0.001"',
  ],
  PB208: [
    'not as the account is set',
    'In hedge mode an order says tradeSide; in one-way mode it must not.',
    'tradeSide: open, on an account in one-way mode',
    'leave tradeSide out, or name an account in hedge mode',
  ],
  PB401: [
    'id stands twice',
    'A step is known by its id: in steps.ID, needs and the journal.',
    'two steps with id: a',
    'ids a and b',
  ],
  PB402: [
    'needs an unknown step',
    'needs names ids of steps of the same playbook.',
    'needs: [ladr]',
    'needs: [ladder]',
  ],
  PB403: [
    'steps need each other',
    'No order of steps satisfies their needs.',
    'a needs b, b needs a',
    'drop one of the two',
  ],
  PB404: [
    'two steps write one file',
    'The second would replace what the first wrote.',
    'file: out/a.csv, twice',
    'file: out/a.csv and out/b.csv',
  ],
  PB405: [
    'one name for many writes',
    'The exchange knows an order by its clientOid and a sub-account by its username; a second of the same name is refused, or taken for the first.',
    'clientOid: mine, under for-each',
    'clientOid: "mine-{{ each.index }}"',
  ],
  PB406: [
    'too many items',
    'A for-each has at most 10,000 items.',
    'for-each: "{{ range 0 1000000 }}"',
    'split the playbook',
  ],
  PB407: [
    'file name not allowed',
    'Files are written under the workspace, with plain names whose ending tells the format.',
    'file: ../x.csv',
    'file: out/x.csv',
  ],
  PB408: [
    'key without a meaning here',
    'Some keys are for reads only, or say something only beside another key. One that is ignored would promise what does not happen.',
    'uses: futures/place-order\nuntil: …',
    'place the order in one step, and poll order/list-open in the next',
  ],
  PB409: [
    'one file for many items',
    'Every item of the for-each would write the same file, and the last one would stay.',
    'file: out/bills.csv, under for-each',
    'file: "out/bills-{{ each.key }}.csv"',
  ],
  PB410: [
    'playbooks use each other',
    'A playbook that used itself, by whatever way, would never end.',
    'uses: ./b.yaml in a.yaml, uses: ./a.yaml in b.yaml',
    'move what both need into a third',
  ],
  PB411: [
    'playbook cannot be read',
    'uses with a path names another playbook, from the file it stands in; at most eight deep, all under the folder the command runs in.',
    'uses: ./ladr.yaml',
    'uses: ./ladder.yaml',
  ],
  PB412: [
    'two items of one key',
    'An item is known by its key: in the journal, in the plan and by the order it places.',
    'for-each: [a, a]',
    'for-each: [a, b]',
  ],
  PB413: [
    'schedule that cannot be kept',
    'The times, the zone or the steps it names do not exist, or a step it runs needs one it leaves out.',
    'cron: "0 24 * * *"',
    'cron: "0 0 * * *"',
  ],
  PB414: [
    'against its own guards',
    'The guards of this playbook would hold the step back, whatever is given to the run.',
    'guards: { symbols: [BTCUSDT] }, and an order of ETHUSDT',
    'add ETHUSDT to the symbols, or drop the order',
  ],
  PB501: [
    'input is not used',
    'Nothing reads this input; it is probably a leftover or misspelt.',
    'inputs: { smybol: … }',
    'use it or remove it',
  ],
  PB502: [
    'step is never done',
    'Its condition is always false, or it has no items, so nothing in it ever happens.',
    'if: "{{ eq 1 2 }}"',
    'remove the step, or make the condition depend on an input',
  ],
} as const satisfies RuleRows;
