/** Values that are known before the run: reported when they cannot be right, whatever is given to it. */
import { describe, expect, test } from 'vitest';
import { checkInput, inputProblems } from '../../src/exchange/api/check.ts';
import { certainFault } from '../../src/language/check/times.ts';
import { momentOf } from '../../src/language/inputs.ts';
import { loadPlaybook } from '../../src/language/load.ts';

const problemsIn = (text: string): string[] =>
  loadPlaybook(`playbook: 1\nname: test\n${text}`, 'known.yaml').problems.map(
    ({ code, level, at, message, hint }) =>
      `${level === 'error' ? '' : `${level} `}${code}@${at.start.line} ${message}${code === 'PB413' ? ` (${hint ?? ''})` : ''}`,
  );

test('a write of one page only is refused', () => {
  const reading = (more: string): string =>
    `steps:\n  - uses: agent/list-assets\n    with: { pageNo: "2" }\n${more}`;
  expect(problemsIn(reading(''))).toEqual([]);
  expect(problemsIn(reading('    write: { file: a.csv }\n'))).toEqual([
    'PB205@5 pageNo selects one page, and write needs all pages',
  ]);
});

test('unknown columns are reported where they are named', () => {
  const write =
    '    write:\n      file: a.csv\n      unique: [uid]\n      sort: [\n        nope]\n';
  expect(
    problemsIn(`steps:\n  - uses: market/list-tickers\n    with: { category: SPOT }\n${write}`),
  ).toEqual(['PB304@8 unknown column "uid"', 'PB304@9 unknown column "nope"']);
});

describe('times', () => {
  const reading = (times: string, uses = 'order/list-history'): string =>
    `steps:\n  - uses: ${uses}\n    with: { ${times} }\n`;

  test.each([
    ['startTime: "2000", endTime: "1000"', 'PB205@5 startTime is after endTime'],
    [
      'startTime: "{{ run.time }}", endTime: "{{ hoursAgo 30 }}"',
      'PB205@5 startTime is after endTime',
    ],
    [
      'startTime: "{{ daysAgo 200 }}", endTime: "{{ daysAgo 100 }}"',
      'PB206@5 the exchange keeps only the last 90 days',
    ],
    [
      'startTime: "{{ daysAgo 200 }}", endTime: "{{ run.time }}"',
      'warning PB206@5 only the last 90 days are kept',
    ],
    [
      `startTime: "{{ daysAgo 200 tz='Europe/Berlin' }}", endTime: "{{ addDays (startOfDay) -100 tz='Europe/Berlin' }}"`,
      'PB206@5 the exchange keeps only the last 90 days',
    ],
    [
      'startTime: "{{ addMonths (startOfQuarter) -6 }}", endTime: "{{ run.time }}"',
      'warning PB206@5 only the last 90 days are kept',
    ],
    [
      'startTime: "{{ startOfMonth }}", endTime: "{{ before (startOfMonth) }}"',
      'PB205@5 startTime is after endTime',
    ],
    ['startTime: 2026-11-02, endTime: "2026-11-02"', 'PB205@5 startTime is after endTime'],
    ['startTime: 2026-11-31', 'PB204@5 startTime: "2026-11-31" is not a time'],
    [`startTime: "{{ concat '2026-' 11 }}"`, 'PB204@5 startTime: "2026-11" is not a time'],
  ])('%s', (times, problem) => {
    expect(problemsIn(reading(times))).toEqual([problem]);
  });

  test.each([
    // Three months before the first of a March are 90 days.
    'startTime: "{{ addMonths (startOfMonth) -3 }}", endTime: "{{ before (startOfMonth) }}"',
    'startTime: "{{ startOfYear }}"',
    'startTime: 2026-11-01, endTime: "2026-11-{{ pad 3 2 }}"',
  ])('%s is allowed', (times) => {
    expect(problemsIn(reading(times))).toEqual([]);
  });

  test('in a zone of an enum are refused where a word is no zone', () => {
    const zones = (word: string): string =>
      `inputs: { zone: { type: enum, values: [Europe/Berlin, ${word}], default: ${word} } }
${reading('startTime: "{{ startOfMonth tz=inputs.zone }}"')}`;
    expect(problemsIn(zones('Asia/Tokyo'))).toEqual([]);
    expect(problemsIn(zones('Asia/Tokio'))).toEqual(['PB310@6 "Asia/Tokio" is not a time zone']);
  });

  const seconds = '1764547200';

  test.each([
    [`startTime: "${seconds}"`, 'startTime'],
    [`startTime: ${seconds}`, 'startTime'],
    [`endTime: "{{ addTime ${seconds} '1d' }}"`, undefined],
    ['startTime: "99999999999"', 'startTime'],
  ])('that must be in seconds are an error: %s', (times, field) => {
    const [problem, ...others] = problemsIn(reading(times));
    expect(others).toEqual([]);
    const value = /\d{10,}/.exec(times)?.[0];
    expect(problem).toContain(
      field === undefined
        ? `${value} is in seconds; a time is in milliseconds`
        : `PB204@5 ${field} must be Unix milliseconds; ${value} is in seconds`,
    );
  });

  test('that must be in seconds are an error of an input or its default', () => {
    const inputs = `inputs: { from: { type: time, default: "${seconds}" } }\n`;
    const [problem] = problemsIn(`${inputs}${reading('startTime: "{{ inputs.from }}"')}`);
    expect(problem).toContain(`${seconds} is in seconds`);
    expect(() => momentOf(seconds)).toThrow(`${seconds} is in seconds`);
    expect(momentOf(`${seconds}000`).ms).toBe(Number(`${seconds}000`));
    expect(problemsIn(reading(`startTime: "${seconds}000"`))).toEqual([]);
  });

  test('that must be in seconds are never sent, because an exchange reads milliseconds', () => {
    const input = { startTime: seconds, endTime: seconds };
    expect(() => checkInput('order/list-history', input)).toThrow(
      `startTime must be Unix milliseconds; ${seconds} is in seconds; endTime must be`,
    );
    expect(inputProblems('order/list-history', input, { by: 'exchange' })).toEqual([]);
  });

  test('after the last one of the calendar are an error: a journal could not name them', () => {
    const last = 8_640_000_000_000_000;
    const input = (end: number): object => ({ startTime: `${end - 1}`, endTime: `${end}` });
    expect(inputProblems('order/list-history', { category: 'SPOT', ...input(last) })).toEqual([]);
    expect(() =>
      checkInput('order/list-history', { category: 'SPOT', ...input(last + 2) }),
    ).toThrow(`startTime is at most ${last}; endTime is at most ${last}`);
  });

  test('of an operation without windows must be in order as well', () => {
    expect(problemsIn(reading('startTime: "2", endTime: "1"', 'order/list-open'))).toEqual([
      'PB205@5 startTime is after endTime',
    ]);
  });

  test('may span more than one request, but not centuries', () => {
    const years = (end: number): string => `startTime: "0", endTime: "${end}"`;
    expect(problemsIn(reading(years(Date.UTC(2000, 0)), 'tax/list-p2p'))).toEqual([]);
    expect(problemsIn(reading(years(Date.UTC(2200, 0)), 'tax/list-p2p'))).toEqual([
      'PB206@5 startTime and endTime are more than 1000 windows apart',
    ]);
  });

  test.each([
    'startTime: "{{ daysAgo 90 }}", endTime: "{{ run.time }}"',
    'startTime: "{{ startOfDay }}", endTime: "{{ hoursAgo 5 }}"', // wrong in the morning only
    'startTime: "1000", endTime: "{{ run.time }}"',
    'startTime: "{{ daysAgo 10 }}"',
  ])('that may be correct are not reported: %s', (times) => {
    expect(problemsIn(reading(times))).toEqual([]);
  });

  test('are evaluated at one time if they are correct then, and at many to be sure of a fault', () => {
    const asked: number[] = [];
    const fault = { kind: 'order', message: '' } as const;
    const faultAfter = (calls: number) => (now: number) => {
      asked.push(now);
      return asked.length > calls ? undefined : fault;
    };
    expect(certainFault(faultAfter(0))).toBeUndefined();
    expect(asked).toHaveLength(1);
    asked.length = 0;
    expect(certainFault(faultAfter(5))).toBeUndefined();
    expect(asked).toHaveLength(6);
    expect(certainFault(() => fault)).toBe(fault);
  });
});

const order = (fields: string, id = 'order', more = ''): string =>
  `  - id: ${id}
    uses: futures/place-order
${more}    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      side: buy, ${fields} }
`;

describe('fields of an order', () => {
  test.each([
    [
      'orderType: market, size: "1", reduceOnly: "YES", tradeSide: close',
      'PB205@7 reduceOnly is for one-way mode, tradeSide for hedge mode',
    ],
    ['orderType: market, size: "0"', 'PB204@7 size must be above 0'],
    ['orderType: limit, size: 1, price: -0.5', 'PB204@7 price must be above 0'],
    ['orderType: limit, size: 1, price: "{{ sub 1 1.0 }}"', 'PB204@7 price must be above 0'],
    [
      'orderType: market, size: "1", force: gtc',
      'warning PB209@7 force is ignored: a market order has no price',
    ],
    [
      'orderType: market, size: "1", side: "{{ upper \'buy\' }}"',
      'PB204@7 side must be buy or sell',
    ],
  ])('%s', (fields, problem) => {
    const steps = order(fields);
    expect(
      problemsIn(
        `steps:\n${fields.includes('side: "') ? steps.replace('side: buy, ', '') : steps}`,
      ),
    ).toEqual([problem]);
  });

  test.each([
    'orderType: market, size: "1", reduceOnly: "NO", tradeSide: close',
    'orderType: market, size: "1", reduceOnly: "YES"',
  ])('that fit together are not reported: %s', (fields) => {
    expect(problemsIn(`steps:\n${order(fields)}`)).toEqual([]);
  });
});

describe('the playbook’s own guards', () => {
  const limit = (price: string, size: string): string =>
    `orderType: limit, price: ${price}, size: ${size}`;
  const guarded = (guards: string, steps: string): string[] =>
    problemsIn(`guards: { ${guards} }\nsteps:\n${steps}`);

  test.each([
    ['symbols: [ETHUSDT]', 'BTCUSDT is not among the symbols of the guards', 7],
    ['max-order-notional: 99.9', 'the order is worth 100, above max-order-notional 99.9', 8],
    ['max-notional: 99', 'the order is worth 100, above max-notional 99', 8],
    ['max-writes: 0', 'with this step the run makes 1 write, above max-writes 0', 5],
  ])('%s', (guards, message, line) => {
    expect(guarded(guards, order(limit('50', '2')))).toEqual([`PB414@${line} ${message}`]);
  });

  test('apply to all orders together, and are reported where they are exceeded', () => {
    const orders = [1, 2, 3, 4].map((n) => order(limit('50', '2'), `o${n}`)).join('');
    expect(guarded('max-notional: 250, max-writes: 3', orders)).toEqual([
      'PB414@16 with this step all orders are worth 300, above max-notional 250',
      'PB414@17 with this step the run makes 4 writes, above max-writes 3',
    ]);
  });

  test('apply to the items of a ladder', () => {
    const ladder =
      '    for-each: "{{ ladder from=100 to=101 count=2 tick=1 total=2 lot=1 }}"\n    key: "{{ each.value.price }}"\n';
    const steps = order(limit('"{{ each.value.price }}"', '"{{ each.value.size }}"'), 'o', ladder);
    expect(guarded('max-notional: 200', steps)).toEqual([
      'PB414@10 with this step all orders are worth 201, above max-notional 200',
    ]);
    expect(guarded('max-notional: 201', steps)).toEqual([]);
  });

  test('do not count steps that may be skipped or done already', () => {
    const maybe = order(limit('50', '2'), 'a', '    if: "{{ eq run.id \'x\' }}"\n');
    const once = order(limit('50', '2'), 'b', '    once-per: playbook\n');
    expect(guarded('max-notional: 150, max-writes: 1', maybe + once)).toEqual([]);
  });

  test('apply to leverage', () => {
    const step =
      '  - uses: futures/set-all-leverage\n    with: { productType: USDT-FUTURES, leverage: 11 }\n';
    expect(guarded('max-leverage: 10', step)).toEqual([
      'PB414@6 leverage 11 is above max-leverage 10',
    ]);
  });

  test('are plain numbers', () => {
    expect(guarded('max-notional: 1e3, max-distance: -5%', order(limit('50', '2')))).toEqual([
      'PB105@3 max-notional must be a plain decimal number, 0 or above',
      'PB105@3 max-distance must be a share of the mark price',
    ]);
  });

  test('accept a percentage, as in a profile', () => {
    const text = `playbook: 1\nname: test\nguards: { max-distance: 5% }\nsteps:\n${order(limit('50', '2'))}`;
    const { playbook, problems } = loadPlaybook(text, 'known.yaml');
    expect(problems).toEqual([]);
    expect(playbook?.guards.maxDistance).toBe('0.05');
  });
});

describe('a schedule', () => {
  const scheduled = (entry: string): string[] =>
    problemsIn(`schedule: [{ ${entry} }]
steps:
  - { id: first, uses: order/list-open }
  - { id: second, uses: order/list-open, expect: [{ that: "{{ gt (length steps.first.response.list) 0 }}" }] }
`);
  const asIn = 'as in "15 2 * * *": every day at 2:15';

  test.each([
    ['cron: "0 24 * * *"', `"0 24 * * *" is not a time: Invalid value for hour: 24 (${asIn})`],
    [
      'cron: "0 0 * *"',
      `"0 0 * *" is not a time: it does not have five fields: minute, hour, day, month, weekday (${asIn})`,
    ],
    [
      'cron: "@daily"',
      `"@daily" is not a time: it does not have five fields: minute, hour, day, month, weekday (${asIn})`,
    ],
    ['cron: "0 0 30 2 *"', `"0 0 30 2 *" is not a time: no such day exists (${asIn})`],
    [
      'cron: "0 0 * * *", timezone: Asia/Singapur',
      '"Asia/Singapur" is not a time zone (did you mean Asia/Singapore?)',
    ],
    [
      'cron: "0 0 * * *", timezone: "+25:00"',
      '"+25:00" is not a time zone (write an offset such as +08:00 or a name such as Asia/Singapore)',
    ],
    ['cron: "0 0 * * *", only: [frist]', 'unknown step "frist" (did you mean "first"?)'],
    [
      'cron: "0 0 * * *", only: [second]',
      'second looks at first, which this schedule omits (add first to only)',
    ],
  ])('with %s is refused', (entry, problem) => {
    expect(scheduled(entry)).toEqual([`PB413@3 ${problem}`]);
  });

  test.each([
    'cron: "15 2 * * *", timezone: "+08:00", only: [first, second]',
    'cron: "*/5 8-18 * * MON-FRI", timezone: Europe/Vienna',
    'cron: "0 0 29 2 *", timezone: UTC',
  ])('with %s is valid', (entry) => {
    expect(scheduled(entry)).toEqual([]);
  });
});
