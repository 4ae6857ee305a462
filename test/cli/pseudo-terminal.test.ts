/** The built program in a pseudo-terminal: what is loaded for live screens works there, not only in the sources. */
import { expect, test } from 'vitest';
import { deskhandAlone, folderWith, type Ended } from './deskhand.ts';
import { ladder } from './ladder.ts';

const files = {
  'ladder.yaml': ladder,
  'wait.yaml': `playbook: 1
name: wait
steps: [{ id: pause, uses: wait, with: { for: 300ms } }]
`,
  'wait.test.yaml': `playbook-test: 1
playbook: wait.yaml
tests: [{ name: it waits, expect: { outcome: done } }]
`,
  'stopped.yaml': `playbook: 1
name: stopped
steps:
  - id: check
    uses: market/list-tickers
    with: { category: SPOT }
    expect: [{ that: "{{ eq 1 2 }}", message: The market is not what was expected }]
`,
};

/** Draws on a terminal of 100 columns, as `script` of util-linux makes one. */
function drawn(line: string, cwd: string): Promise<Ended> {
  const sized = 'exec script -qec "stty cols 100 rows 40; exec $*" /dev/null';
  return deskhandAlone(line.split(' '), { cwd, around: ['sh', '-c', sized, 'sh'] });
}

test.each([
  ['demo', 0],
  ['run ladder.yaml', 0],
  ['run wait.yaml', 0],
  ['run stopped.yaml', 1],
  ['plan ladder.yaml', 0],
  ['drift ladder.yaml', 0],
  ['test wait.test.yaml', 0],
  ['rehearse wait.yaml --seeds 1', 0],
  ['export market/list-tickers category=SPOT --file rows.csv', 0],
  ['doctor', 0],
  ['init desk', 0],
] as const)('%s', async (line, expected) => {
  const { code, stdout } = await drawn(line, folderWith(files));
  expect(stdout).not.toMatch(/\b[A-Z]\w*Error\b|bug in deskhand|^\s+at .*:\d+/m);
  expect([code, stdout]).toEqual([expected, expect.stringContaining('\u001B[')]);
});
