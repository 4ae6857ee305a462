/** A small playbook with its tests, played without a file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { standingClock } from '../../../src/base/clock.ts';
import { openTests, playTest, type TestResult } from '../../../src/rehearsal/tests/play.ts';
import { revised } from '../../../src/rehearsal/tests/update.ts';
import { documentRenderer } from '../../../src/report/renderer.ts';
import { limitOrder } from '../../support/order.ts';

/** Two orders, the leverage before them, a file and a notice after them. */
export const playbook = `playbook: 1
name: small
inputs:
  size: { type: decimal, default: 0.010 }
  leverage: { type: integer, default: 5 }
guards: { max-notional: 5000 }
steps:
  - id: leverage
    uses: futures/set-all-leverage
    with: { productType: USDT-FUTURES, leverage: "{{ inputs.leverage }}" }
  - id: orders
    needs: [leverage]
    for-each: [40000, 39000]
    uses: futures/place-order
    once-per: playbook
    with:${limitOrder({ price: '{{ each.value }}', size: '{{ inputs.size }}' })}
  - id: tickers
    needs: [orders]
    uses: market/list-tickers
    with: { category: SPOT, symbol: BTCUSDT }
    write: { file: out/tickers.csv, columns: { symbol: "{{ row.symbol }}" } }
on-failure:
  - uses: notify/webhook
    with: { url: "{{ secrets.HOOK }}", text: "stopped at {{ failure.step }}" }
outputs:
  size: "{{ inputs.size }}"
`;

/** The head of a file of tests; what follows are the members of \`tests\`. */
export function testsOf(body: string): string {
  return `playbook-test: 1\nplaybook: small.yaml\ntests:\n${body}`;
}

/** Plays a text's tests against the playbook above, or another that is next to it. */
export async function played(
  text: string,
  others: Readonly<Record<string, string>> = {},
): Promise<readonly TestResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  try {
    writeFileSync(join(folder, 'small.yaml'), playbook);
    for (const [name, content] of Object.entries(others))
      writeFileSync(join(folder, name), content);
    const path = join(folder, 'a.test.yaml');
    const { opened, problems } = await openTests(path, Buffer.from(text), {});
    if (opened === undefined) throw new Error(JSON.stringify(problems));
    const results: TestResult[] = [];
    for (const [place, test] of opened.tests.entries()) {
      results.push(
        await playTest(opened, test, place, {
          clock: standingClock(0),
          documents: documentRenderer('deskhand test'),
          program: 'deskhand test',
        }),
      );
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The text after --update. */
export async function updated(text: string): Promise<string> {
  const results = await played(text);
  return revised(
    text,
    results.flatMap(({ revisions }) => revisions),
  );
}

/** What differs, as `line what: expected / got`. */
export function mismatchLines(results: readonly TestResult[]): readonly string[] {
  return results.flatMap(({ differences, broken }) => [
    ...(broken ? [`${broken.at.start.line} ${broken.message}`] : []),
    ...differences.map(
      ({ at, what, expected, got }) => `${at.start.line} ${what}: ${expected} / ${got}`,
    ),
  ]);
}
