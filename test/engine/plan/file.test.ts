/** Any changed value of a saved plan is detected, in any format, and the error names the changed part. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, decodeUtf8, parseJson } from '../../../src/base/json.ts';
import { sealed } from '../../../src/engine/plan/digest.ts';
import { planFile, readPlan, savePlan } from '../../../src/engine/plan/file.ts';
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

const text = whole.toString();

test('a saved plan is JSON, and read back unchanged', async () => {
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(plan)));
  expect(await readPlan(path)).toEqual(JSON.parse(text));
});

test.each<[string, (value: Readonly<Record<string, unknown>>) => string]>([
  ['on one line', (value) => JSON.stringify(value)],
  ['with tabs', (value) => JSON.stringify(value, undefined, '\t')],
  ['with sorted keys', canonicalJson],
  ['with CRLF', (value) => JSON.stringify(value, undefined, 4).replaceAll('\n', '\r\n')],
  ['with a byte order mark', (value) => `\ufeff${JSON.stringify(value)}`],
  ['with escapes', (value) => JSON.stringify(value).replaceAll('futures', '\\u0066utures')],
  ['with numbers in another notation', (value) => JSON.stringify(value).replace(':12', ':1.20e1')],
])('a plan formatted %s is accepted', async (_how, format) => {
  expect(await refusal(format(JSON.parse(text)))).toBe('it was read');
});

/** The meaning of a file's bytes: equal for two files of the same content. */
function meaningOf(bytes: Uint8Array): string {
  try {
    return canonicalJson(parseJson(decodeUtf8(bytes)));
  } catch {
    return 'none';
  }
}

test('a byte changed, inserted or removed anywhere is refused, or changes only the format', async () => {
  const meaning = meaningOf(whole);
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
        const said = await refusal(changed);
        if (meaningOf(changed) === meaning) expect(said).toBe('it was read');
        else
          expect(said).toMatch(/was changed|is damaged|is not a plan|was not written by deskhand/);
      },
    ),
    { numRuns: 500 },
  );
});

test('every changed, added or removed field is refused by the name of its part', async () => {
  const value: Readonly<Record<string, unknown>> = JSON.parse(text);
  const own = new Set(['id', 'seal', 'digest']);
  for (const name of Object.keys(value).filter((each) => !own.has(each) && each !== 'steps')) {
    const { [name]: _removed, ...rest } = value;
    expect(await refusal(JSON.stringify(rest))).toContain(`: ${name} was removed`);
    expect(await refusal(JSON.stringify({ ...value, [name]: ['else'] }))).toContain(
      `: ${name} was changed`,
    );
  }
  expect(await refusal(JSON.stringify({ ...value, extra: 1 }))).toContain(': extra was added');
  const steps = plan.steps.toReversed();
  expect(await refusal(JSON.stringify({ ...value, steps }))).toContain(': steps was changed');
  expect(await refusal(JSON.stringify({ ...value, steps: plan.steps.slice(1) }))).toContain(
    ': step volume was removed and steps was changed',
  );
  for (const name of own) {
    const { [name]: _removed, ...rest } = value;
    expect(await refusal(JSON.stringify(rest))).toMatch(/is damaged|not written by deskhand/);
  }
});

test.each([
  ['"61500.0"', '"61500.1"', 'step ladder was changed'],
  ['"mm-main"', '"mm-mean"', 'destination was changed'],
  ['"limit": "20"', '"limit": "90"', 'guards was changed'],
  ['"seal"', '"saal"', 'not written by deskhand'],
  ['  "inputs": {},\n', '', 'inputs was removed'],
  ['"id": "p-', '"id": "p-0', 'is damaged'],
  ['"inputs": {}', '"inputs": {}, "inputs": {}', 'duplicate key'],
  ['"requests": 12', '"requests": 12.00000000000000000001', 'more digits than are read'],
])('%s made %s is reported', async (from, to, what) => {
  expect(await refusal(text.replace(from, to))).toContain(what);
});

test('a plan sealed again by someone else is refused', async () => {
  const { id, seal: _seal, digest, ...content } = plan;
  const forged = { ...content, inputs: { size: '9' } };
  expect(await refusal(JSON.stringify({ ...forged, id, seal: sealOf(forged), digest }))).toContain(
    'not written by deskhand',
  );
});

describe('a plan of an earlier version, with a line above its JSON', () => {
  const earlier = readFileSync(join(import.meta.dirname, 'earlier.plan'), 'utf8');

  test('is read', async () => {
    const file = join(folder, 'earlier.json');
    writeFileSync(file, earlier);
    expect(await readPlan(file)).toMatchObject({ id: 'p-e423b538' });
    expect(planFile.isOurs(earlier)).toBe(true);
  });

  test('is read without that line, in any format', async () => {
    const body = JSON.parse(earlier.slice(earlier.indexOf('\n')));
    expect(await refusal(JSON.stringify(body))).toBe('it was read');
  });

  test('is refused when it was changed', async () => {
    expect(await refusal(earlier.replace('ETHUSDT', 'BTCUSDT'))).toContain(
      'was changed after it was saved: its text is not that of its first line',
    );
    const body = earlier.slice(earlier.indexOf('\n') + 1).replace('ETHUSDT', 'BTCUSDT');
    expect(await refusal(body)).toContain('its digest is not that of its contents');
  });
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
