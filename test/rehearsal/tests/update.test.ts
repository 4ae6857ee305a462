/** --update makes expectations true and touches nothing else. */
import { describe, expect, test } from 'vitest';
import { played, testsOf, mismatchLines, updated } from './support.ts';

const text = testsOf(`  # what it is about
  - name: it   # the only one
    inputs:    {   size:   0.020   }
    expect: # at the end
      # ends well
      outcome: stopped   # or not
      exit: 1
      plan:
        writes:
          "orders[40000]": { size: "0.01" } # the first rung
          "orders[41000]": { size: "0.01" }
      journal: { leverage: refused }

      orders:
        # the upper one
        - { price: "40001.0", qty: "0.020" } # will be wrong

        - { price: "1" }
        - { price: "2" }
        - { price: "3" }
      files:
        out/tickers.csv:
          text: |
            symbol
      # the end of the expectation
    # the end of the test
  - { name: another, expect: { exit: 1 } }

# the end of the file
`);

describe('expectations that fail', () => {
  test('are rewritten in place, with comments and layout', async () => {
    expect(await updated(text)).toMatchSnapshot();
  });

  test('pass afterwards and are not changed again', async () => {
    const once = await updated(text);
    expect(mismatchLines(await played(once))).toEqual([]);
    expect(await updated(once)).toBe(once);
  });

  test('are added if missing', async () => {
    const once = await updated(testsOf('  - name: it\n    # no more to say\n  - name: two\n'));
    expect(once).toMatchSnapshot();
    expect(mismatchLines(await played(once))).toEqual([]);
  });

  test('are kept if only a person can correct them', async () => {
    const missing = testsOf(
      '  - name: it\n    expect: { files: { out/no.csv: { contains: a } } }\n',
    );
    expect(await updated(missing)).toBe(missing);
  });
});

test('of a second run are rewritten as well', async () => {
  const before = testsOf(
    '  - name: it\n    expect: { exit: 0 }\n    again:\n      orders: [{ price: "1" }]\n      exit: 1\n',
  );
  expect(await updated(before)).toBe(
    before.replace('[{ price: "1" }]', '[]').replace('exit: 1', 'exit: 0'),
  );
});
