/** What is wrong with a file of tests, and with the page that describes them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTests } from '../../../src/rehearsal/tests/read.ts';
import { testsOf } from './support.ts';

/** Problems as `line:column message (hint)`. */
function problemsIn(text: string): readonly string[] {
  return readTests(text, 'a.test.yaml').problems.map(
    ({ at, message, hint }) =>
      `${at.start.line}:${at.start.column} ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
}

const one = (body: string): string => testsOf(`  - name: it\n${body.replace(/^/gm, '    ')}`);

describe('every mistake is reported at its location', () => {
  test.each([
    ['no YAML', 'tests: ['],
    ['an empty file', ''],
    ['a playbook instead', 'playbook: 1\nname: x\nsteps: []\n'],
    ['no tests', testsOf('  []')],
    ['an unknown key', one('expct: {}')],
    ['an unknown outcome', one('expect: { outcome: finished }')],
    ['an exit code deskhand does not have', one('expect: { exit: 7 }')],
    ['an unknown state', one('expect: { journal: { a: dun } }')],
    ['an unknown account', one('world: { account: main }')],
    ['an unknown command', one('world: { commands: [{ market: {} }] }')],
    [
      'two commands after one dash',
      one('world: { commands: [{ accounts/mode: {}, orders/cancel: {} }] }'),
    ],
    ['no command after a dash', one('world: { commands: [{}] }')],
    ['a moment that does not exist', one('world: { time: 2026-13-01T00:00:00Z }')],
    ['a moment in another layout', one('world: { time: tomorrow }')],
    ['an unknown part of a scenario', one('world: { scenario: { markets: [] } }')],
    [
      'a market without its symbol',
      one('world: { scenario: { market: [{ category: SPOT, price: 5 }] } }'),
    ],
    ['an unknown fault', one('faults: [{ action: { kind: explode } }]')],
    ['a fault without what it needs', one('faults: [{ action: { kind: delay } }]')],
    [
      'an unknown operation',
      one('faults: [{ match: { operation: futures/place-ordr }, action: { kind: reset } }]'),
    ],
    ['a word that is not a file', one('expect: { files: { a.csv: missing } }')],
    ['a write that is not a map', one('expect: { plan: { writes: { a: 5 } } }')],
    ['writes as a list', one('expect: { plan: { writes: [a] } }')],
  ])('%s', (_what, text) => {
    expect(problemsIn(text)).toMatchSnapshot();
  });
});

test('a test inherits the values of the file and may override them', () => {
  const text = `playbook-test: 1
playbook: a.yaml
world: { seed: 3, account: oneway, scenario: { config: { limits: false } } }
inputs: { size: 0.010, count: 1 }
tests:
  - name: it
    world: { account: leader, on-doubt: ask, commands: [{ clock/advance: { ms: 1 } }] }
    inputs: { count: 2 }
    expect: { exit: 0 }
`;
  const { file } = readTests(text, 'a.test.yaml');
  const [it] = file?.tests ?? [];
  expect(it?.world).toMatchObject({ seed: 3, account: 'leader', onDoubt: 'ask' });
  expect(it?.world.commands.map(({ path }) => path)).toEqual(['scenario', 'clock/advance']);
  expect([...(it?.inputs ?? [])]).toEqual([
    ['size', '0.010'],
    ['count', '2'],
  ]);
});

test('the test files in the documentation are valid', () => {
  const page = readFileSync(
    join(import.meta.dirname, '..', '..', '..', 'docs', 'tests.md'),
    'utf8',
  );
  const files = [...page.matchAll(/```yaml\n(playbook-test: 1[\s\S]*?)```/g)];
  expect(files.length).toBeGreaterThan(0);
  for (const [, text = ''] of files) expect(problemsIn(text)).toEqual([]);
});
