/** Calendar ranges of reads: what a plan shows is what is sent, and a text that is no time is refused before. */
import { expect, test } from 'vitest';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import { live, openHarness, planOn, playbookFrom, type Harness } from '../../support/harness.ts';

// The sandbox's day is 2026-11-20.
const reading = (fields: string, inputs = '{}'): string => `playbook: 1
name: ranges
inputs: ${inputs}
steps:
  - id: volume
    uses: agent/list-trade-volume
    with: { ${fields} }
`;

async function plannedTimes(harness: Harness, text: string): Promise<readonly unknown[]> {
  const plan = await planOn(harness, playbookFrom(text));
  const [action] = plan.steps[0]?.actions ?? [];
  const { startTime, endTime } = Object(action?.input);
  return [startTime, endTime];
}

/** The bounds of all requests of a run. */
async function sentTimes(harness: Harness, text: string): Promise<readonly unknown[]> {
  const sent: (readonly number[])[] = [];
  const wrap =
    (transport: Transport): Transport =>
    async (request, signal) => {
      const { startTime, endTime } = {
        ...Object.fromEntries(new URLSearchParams(request.query)),
        ...Object(request.body === '' ? {} : JSON.parse(request.body)),
      };
      if (startTime !== undefined) sent.push([Number(startTime), Number(endTime)]);
      return transport(request, signal);
    };
  expect((await live(harness, playbookFrom(text), { wrap })).status).toBe('done');
  return [String(sent[0]?.[0]), String(sent.at(-1)?.[1])];
}

const millis = (text: string): string => String(Date.parse(text));

test.each([
  [
    'last month in Berlin, whose clocks changed in it',
    `startTime: "{{ addMonths (startOfMonth tz='Europe/Berlin') -1 tz='Europe/Berlin' }}",
     endTime: "{{ before (startOfMonth tz='Europe/Berlin') }}"`,
    ['2026-09-30T22:00:00Z', '2026-10-31T22:59:59.999Z'],
  ],
  [
    'the week so far in New York',
    `startTime: "{{ startOfWeek tz='America/New_York' }}", endTime: "{{ run.time }}"`,
    ['2026-11-16T05:00:00Z', '2026-11-20T04:00:00Z'],
  ],
  [
    'a month that is composed of texts, up to a date',
    `startTime: "2026-11-{{ pad 1 2 }}", endTime: "{{ concat '2026-11-' (pad 3 2) }}"`,
    ['2026-11-01T00:00:00Z', '2026-11-02T23:59:59.999Z'],
  ],
  [
    'dates as written',
    'startTime: 2026-11-01, endTime: 2026-11-02T08:00:00+08:00',
    ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'],
  ],
  [
    'local times of a zone',
    `startTime: "{{ time '2026-11-01' tz='America/New_York' }}",
     endTime: "{{ time '2026-11-02T12:30' tz='America/New_York' }}"`,
    ['2026-11-01T04:00:00Z', '2026-11-02T17:30:00Z'],
  ],
])('%s: a plan shows what a run sends', async (_what, fields, [start = '', end = '']) => {
  const planned = await plannedTimes(await openHarness(), reading(fields));
  expect(planned).toEqual([millis(start), millis(end)]);
  expect(await sentTimes(await openHarness(), reading(fields))).toEqual(planned);
});

test('months and quarters of a zone are windows without gaps', async () => {
  const harness = await openHarness();
  const plan = await planOn(
    harness,
    playbookFrom(`playbook: 1
name: months
steps:
  - id: month
    for-each: "{{ windows (startOfQuarter tz='Europe/Berlin') (before (startOfMonth tz='Europe/Berlin')) months=1 tz='Europe/Berlin' }}"
    key: "{{ date each.value.start 'yyyy-MM' tz='Europe/Berlin' }}"
    uses: agent/list-trade-volume
    with: { startTime: "{{ each.value.start }}", endTime: "{{ each.value.end }}" }
  - id: day
    for-each: "{{ windows '2026-10-24' (before (time '2026-10-27' tz='Europe/Berlin')) days=1 tz='Europe/Berlin' }}"
    key: "{{ date each.value.start 'dd' tz='Europe/Berlin' }}"
    uses: agent/list-trade-volume
    with: { startTime: "{{ each.value.start }}", endTime: "{{ each.value.end }}" }
`),
  );
  const hours = plan.steps.map(({ actions }) =>
    actions.map(({ address, input }) => {
      const { startTime, endTime } = Object(input);
      return [address, (Number(endTime) + 1 - Number(startTime)) / 3_600_000];
    }),
  );
  expect(hours).toEqual([
    [['month[2026-10]', 31 * 24 + 1]],
    [
      ['day[24]', 24],
      ['day[25]', 25],
      ['day[26]', 24],
    ],
  ]);
});

test.each([
  [
    `startTime: "{{ startOfDay tz=inputs.zone }}"`,
    '{ zone: { type: string, default: Europe/Berln } }',
    '"Europe/Berln" is not a time zone',
  ],
  [
    `startTime: "2026-11-{{ inputs.day }}"`,
    '{ day: { type: string, default: "31" } }',
    'startTime: "2026-11-31" is not a time',
  ],
])('%s is refused by a plan, and by a run before its first step', async (fields, inputs, why) => {
  const text = reading(fields, inputs);
  await expect(planOn(await openHarness(), playbookFrom(text))).rejects.toThrow(why);
});

test('a wait until a text that is no time is refused before anything is sent', async () => {
  const text = `playbook: 1
name: waits
inputs: { hour: { type: string, default: "25" } }
steps:
  - { uses: wait, with: { until: "2026-11-20T{{ inputs.hour }}:00Z" } }
`;
  await expect(planOn(await openHarness(), playbookFrom(text))).rejects.toThrow('is not a time');
});
