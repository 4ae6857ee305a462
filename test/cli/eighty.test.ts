/** Every screen in a terminal of 80 columns: no line is wider, and no word is lost. */
import { expect, test } from 'vitest';
import { topicWords } from '../../src/app/explain/topics.ts';
import { helpTopics } from '../../src/cli/commands/help.ts';
import { folderWith } from './deskhand.ts';
import { inside } from './inside.ts';
import { ladder } from './ladder.ts';

const files = {
  'ladder.yaml': ladder,
  'long.yaml': `playbook: 1
name: a-playbook-with-a-long-name-that-takes-much-of-its-line
description: Text
schedule:
  - { cron: "0,15,30,45 2,6,10,14,18,22 * * *", timezone: America/Argentina/Buenos_Aires }
steps:
  - { id: the-prices-of-every-symbol-of-the-spot-market, uses: market/list-tickers, with: { category: SPOT } }
  - id: wait-until-the-price-is-there
    needs: [the-prices-of-every-symbol-of-the-spot-market]
    uses: wait
    with: { for: 1ms }
    expect:
      - that: "{{ eq 1 run.time }}"
        message: The price of the symbol is not what it was when this playbook was planned an hour ago
`,
  'long.test.yaml': `playbook-test: 1
playbook: long.yaml
tests:
  - name: the outcome is what nobody expects, and the name of this test is longer than one line of a terminal
    expect: { outcome: done }
`,
  'wrong.yaml': 'playbook: 1\nname: wrong\nsteps: [{ id: a, use: b }]\n',
  'sub.yaml':
    'playbook: 1\nname: sub\nsteps: [{ id: sub, uses: account/create-sub, with: { username: alpha } }]\n',
  'lost.yaml': `version: 1
faults:
  - { match: { operation: account/create-sub }, when: after-commit, times: 1, action: { kind: reset } }
`,
};

/** Commands that change something, each run once. */
const changing: readonly string[] = [
  'demo',
  'init desk --github --example order-ladder',
  'run ladder.yaml',
  'run long.yaml',
  'sandbox load lost.yaml',
  'run sub.yaml',
  'test long.test.yaml',
  'rehearse long.yaml --seeds 1 --fault 429',
  'export market/list-tickers category=SPOT --file rows.csv',
  'schedule run-due long.yaml',
  'import ladder.yaml nothing --id 1',
  'sandbox reset',
];

/** Commands that only read, at both widths. */
const looking: readonly string[] = [
  '',
  ...topicWords().map((topic) => `explain ${topic}`),
  ...['', ...helpTopics].map((topic) => `help ${topic}`),
  'explain',
  'validate wrong.yaml',
  'graph long.yaml',
  'plan ladder.yaml --full',
  'plan long.yaml',
  'drift ladder.yaml',
  'orders',
  'runs list',
  'runs show last',
  'runs show last --requests',
  'runs diff last last',
  'runs logs last',
  'runs verify last',
  'runs files last',
  'runs outputs last',
  'runs prune',
  'keys list',
  'doctor',
  'schedule list long.yaml',
  'schedule next long.yaml',
  'schedule log',
  'verify rows.csv',
  'sandbox control clock',
  'call market/list-tickers category=SPOT symbol=BTCUSDT',
  'run nothing.yaml',
  'run long.yaml --only nothing',
  'call order/list-open nothing=1',
  'resume r-nothing',
  'approve p-00000000',
  'keys former zz -p sandbox',
  'lsp extra',
  'mcp extra',
];

test('no line is wider than 80 columns, and no word is lost', async () => {
  const cwd = folderWith(files);
  const at = async (line: string, columns: number): Promise<string> => {
    const words = line.split(' ').filter((word) => word !== '');
    const { stdout, stderr } = await inside(words, { cwd, columns, env: { CI: 'true' } });
    return `${stdout}\n${stderr}`;
  };
  const wrong: unknown[] = [];
  const look = (line: string, text: string): void => {
    const wide = text.split('\n').filter((each) => each.length > 80 && !isOnePiece(each));
    if (wide.length > 0) wrong.push([line, ...wide]);
  };
  for (const line of changing) look(line, await at(line, 80));
  for (const line of looking) {
    const narrow = await at(line, 80);
    look(line, narrow);
    const lost = wordsIn(await at(line, 2_000)).filter((word) => !wordsIn(narrow).includes(word));
    if (lost.length > 0) wrong.push([line, 'lost', lost]);
  }
  expect(wrong).toEqual([]);
});

/** Text that is never wrapped: a command, JSON, and a line whose last word is too long. */
function isOnePiece(line: string): boolean {
  if (/^\s*(?:(?:Next|help) +)?(?:[{[]|(?:npx )?deskhand |export DESKHAND_|\d* *│)/.test(line))
    return true;
  const last = /\S+$/.exec(line)?.[0] ?? '';
  const before = line.slice(0, line.length - last.length);
  return before.length <= 80 && (/^\s*$|\s{2}$/.test(before) || last.length > 80);
}

/** Ids, numbers and durations differ from one run to the next. */
function wordsIn(text: string): readonly string[] {
  const plain = text.replaceAll(/\b[pr]-[a-z0-9]+|\d[\d.,]* (?:ms|s|min)\b|\d+/g, '#');
  return plain.split(/\s+/).filter((word) => word !== '');
}
