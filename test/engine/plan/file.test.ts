/** Any changed byte of a saved plan is detected, and the error names the changed part. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sealed } from '../../../src/engine/plan/digest.ts';
import { readPlan, savePlan } from '../../../src/engine/plan/file.ts';
import { sealOf } from '../../../src/engine/plan/seal.ts';
import { refuseExpired } from '../../../src/engine/plan/stale.ts';
import { samplePlan } from '../../support/plans.ts';

const { id: _id, digest: _digest, ...bound } = samplePlan();
const plan = sealed(bound);
const folder = mkdtempSync(join(tmpdir(), 'plans-'));
const path = await savePlan(folder, plan);
const whole = readFileSync(path);

const refusal = async (bytes: Uint8Array | string): Promise<string> => {
  const file = join(folder, 'changed.json');
  writeFileSync(file, bytes);
  const error: unknown = await readPlan(file).catch((thrown: unknown) => thrown);
  return error instanceof Error ? error.message : 'it was read';
};

test('a saved plan is read back unchanged', async () => {
  expect(await readPlan(path)).toEqual(JSON.parse(JSON.stringify(plan)));
});

test('a byte changed, inserted or removed anywhere is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(whole.length - 1),
      fc.integer({ min: 1, max: 255 }),
      fc.constantFrom('changed', 'added', 'left out'),
      async (at, by, how) => {
        const other = Buffer.from([(whole[at] ?? 0) ^ by]);
        const rest = whole.subarray(how === 'added' ? at : at + 1);
        const middle = how === 'left out' ? Buffer.alloc(0) : other;
        const changed = Buffer.concat([whole.subarray(0, at), middle, rest]);
        fc.pre(!changed.equals(whole));
        expect(await refusal(changed)).toMatch(/was changed|were added/);
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  ['"61500.0"', '"61500.1"', 'step ladder was changed'],
  ['"mm-main"', '"mm-mean"', 'destination was changed'],
  ['"limit": "20"', '"limit": "90"', 'guards was changed'],
  ['"seal"', '"saal"', 'the seal, was changed'],
  ['"parts"', '"party"', 'the seal, was changed'],
  ['  "inputs": {},\n', '', 'lines of it were added or removed'],
])('%s made %s is reported', async (from, to, what) => {
  expect(await refusal(whole.toString().replace(from, to))).toContain(what);
});

test('a plan sealed again by someone else is refused', async () => {
  const body = `${JSON.stringify({ ...plan, inputs: { size: '9' } }, undefined, 2)}\n`;
  expect(await refusal(`${sealOf(body)}\n${body}`)).toContain('not written by deskhand');
});

test('a plan is valid until it expires, and at most as long as its profile allows', () => {
  const { observedAt, expiresAt } = plan;
  expect(() => refuseExpired(plan, expiresAt, undefined)).not.toThrow();
  expect(() => refuseExpired(plan, expiresAt + 1, undefined)).toThrow(
    `plan ${plan.id} is 15 min old and was valid for 15 min; nothing was sent`,
  );
  expect(() => refuseExpired(plan, observedAt + 60_001, 60_000)).toThrow('valid for 60 s');
  expect(() => refuseExpired({ ...plan, isOffline: true }, observedAt, undefined)).toThrow(
    'made offline',
  );
});

test('a file that is not a plan is reported with how to make one', async () => {
  const file = join(folder, 'ladder.yaml');
  writeFileSync(file, 'playbook: 1\n');
  await expect(readPlan(file)).rejects.toMatchObject({
    message: `${file} is not a plan`,
    hint: 'make a plan of a playbook: deskhand plan FILE --out plan.json',
  });
});
