/** Time axes: few marks, and no two of them say the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { day, hour } from '../../src/base/clock.ts';
import { axisTicksOf } from '../../src/report/axis-ticks.ts';

const length = fc.oneof(...[1000, hour, 90 * day].map((max) => fc.integer({ min: 1, max })));

test('every axis has two to seven ticks with different labels', () => {
  fc.assert(
    fc.property(length, (whole) => {
      const labels = axisTicksOf(whole).map((tick) => tick.label);
      expect(labels.length).toBeGreaterThan(whole === 1 ? 0 : 1);
      expect(labels.length).toBeLessThan(8);
      expect(new Set(labels).size).toBe(labels.length);
    }),
    { numRuns: 2_000 },
  );
});

test('a run of a third of a second is shown in milliseconds', () => {
  expect(axisTicksOf(310).map(({ label }) => label)).toEqual(['0', '100 ms', '200 ms', '300 ms']);
});
