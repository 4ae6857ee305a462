/** What an author must say about items that may be missing: on-error: partial, and max-failures. */
import { describe, expect, test } from 'vitest';
import { loadPlaybook } from '../../src/language/load.ts';

const rates = (more: string): string => `  - id: rates
    for-each: [BTCUSDT, ETHUSDT]
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: "{{ each.value }}" }
${more}`;

const table = (more = ''): string => `  - id: table
    uses: report/table
${more}    with: { from: rates, columns: { coin: "{{ row.key }}" } }
`;

const reading = (expression: string): string => `  - id: read
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: "{{ ${expression} }}" }
`;

function problemsOf(steps: string, isResumed = false): readonly string[] {
  const { problems } = loadPlaybook(`playbook: 1\nname: partial\nsteps:\n${steps}`, 'p.yaml', {
    isResumed,
  });
  return problems.map(({ code, message, hint }) => [code, message, hint ?? ''].join(' | '));
}

const goesOn = '    on-error: continue\n';
const partial = '    on-error: partial\n';

describe('the rows and values of a for-each that may lack items', () => {
  test('are refused after on-error: continue, with what the author can say', () => {
    expect(problemsOf(rates(goesOn) + table())).toEqual([
      'PB311 | the rows of rates may be missing: the run continues if rates fails | add needs: [rates], or set on-error: partial in rates',
    ]);
    const whole = reading("first (pluck (first (pluck steps.rates.outputs 'x')) 'symbol')");
    expect(problemsOf(rates(goesOn) + whole)[0]).toBe(
      'PB311 | items of steps.rates.outputs may be missing: the run continues if rates fails | add needs: [rates], or set on-error: partial in rates',
    );
  });

  test('a default does not hide items that are missing among others', () => {
    const given = reading("join (pluck (default steps.rates.outputs '') 'x') ','");
    expect(problemsOf(rates(goesOn) + given)[0]).toMatch(/^PB311 \| items of/);
  });

  test('are allowed after on-error: partial, and with needs', () => {
    expect(problemsOf(rates(partial) + table())).toEqual([]);
    expect(problemsOf(rates(partial) + table('    needs: [rates]\n'))).toEqual([]);
    expect(problemsOf(rates(goesOn) + table('    needs: [rates]\n'))).toEqual([]);
  });

  test('of a run that has started are as its version allowed', () => {
    const whole = reading('json steps.rates.outputs');
    expect(problemsOf(rates(goesOn) + whole)).toHaveLength(1);
    expect(problemsOf(rates(goesOn) + whole, true)).toEqual([]);
  });
});

describe('steps.ID.failed', () => {
  test('is a list of keys, values, codes and messages', () => {
    expect(problemsOf(rates(partial) + reading('steps.rates.failed.0.value'))).toEqual([]);
    expect(
      problemsOf(rates(partial) + reading("join (pluck steps.rates.failed 'kee') ','")),
    ).toEqual(['PB304 | the members have no "kee" | did you mean "key"?']);
  });

  test('exists only after on-error: partial', () => {
    expect(problemsOf(rates(goesOn) + reading('steps.rates.failed.0.key'))[0]).toMatch(
      /^PB304 \| steps.rates has no "failed"/,
    );
  });

  test('may be missing in finally', () => {
    const step = reading('steps.rates.failed.0.key');
    const { problems } = loadPlaybook(
      `playbook: 1\nname: partial\nsteps:\n${rates(partial)}finally:\n${step}`,
      'p.yaml',
    );
    expect(problems.map(({ code }) => code)).toEqual(['PB311']);
  });
});

describe('keys', () => {
  test('partial needs for-each', () => {
    const step = reading("lower 'BTCUSDT'") + partial;
    expect(problemsOf(step)).toEqual([
      'PB408 | on-error: partial requires for-each | write on-error: continue, or add for-each',
    ]);
  });

  test('max-failures needs a for-each that continues', () => {
    expect(problemsOf(`${rates('')}    max-failures: 2\n`)).toEqual([
      'PB408 | on-error: stop starts no other item after the first failure: max-failures has no effect | add on-error: partial, or on-error: continue',
    ]);
    expect(problemsOf(`${rates(partial)}    max-failures: 2\n`)).toEqual([]);
    expect(problemsOf(`${rates(partial)}    max-failures: 0\n`)[0]).toMatch(/^PB105/);
    expect(problemsOf(`${reading("lower 'BTCUSDT'")}    max-failures: 2\n`)).toEqual([
      'PB408 | max-failures requires for-each | ',
    ]);
  });
});
