/** Which approvals signed by a passkey count, from authenticators in software and from a browser. */
import { createECDH, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { day, hour } from '../../../src/base/clock.ts';
import {
  checkApprovals,
  type ApprovalCheck,
  type ApprovalRules,
} from '../../../src/engine/approval/check.ts';
import { sign } from '../../../src/engine/approval/keygen.ts';
import { assertionIn, assertionOf } from '../../../src/engine/approval/passkey/assertion.ts';
import {
  passkeysIn,
  readPasskeys,
  type PasskeyEntry,
} from '../../../src/engine/approval/passkey/keys.ts';
import {
  assertionProblem,
  authenticatorIn,
} from '../../../src/engine/approval/passkey/signature.ts';
import {
  bodyOf,
  readRecord,
  recordOf,
  recordsIn,
  writeRecord,
  type ApprovalRecord,
} from '../../../src/engine/approval/record.ts';
import { signatureIn } from '../../../src/engine/approval/signature.ts';
import type { Signature } from '../../../src/engine/approval/signed-text.ts';
import { sealed } from '../../../src/engine/plan/digest.ts';
import type { Plan } from '../../../src/engine/plan/plan.ts';
import { authenticatorOf, type Changes } from './authenticator.ts';
import chromium from './chromium.json' with { type: 'json' };
import { keyOf, publicOf, signersOf } from './keys.ts';
import { bound, env, now, plan } from './judged-plan.ts';

const ben = authenticatorOf('ben@desk.example');
const cara = authenticatorOf('cara@desk.example', 'EdDSA');
const dan = authenticatorOf('dan@desk.example', 'RS256');
const ann = authenticatorOf('ann@desk.example');
const stranger = authenticatorOf('stranger@desk.example');
const everyone = [ben, cara, dan, ann].map(({ entry }) => entry);

const benSsh = keyOf('passkey-ben');
const signers = signersOf(
  [`ben@desk.example,ben@home.example ${publicOf(benSsh)}`],
  'passkey_signers',
);

function rulesFor(entries: unknown = everyone): ApprovalRules {
  const passkeys = join(mkdtempSync(join(tmpdir(), 'passkeys-')), 'passkeys.json');
  writeFileSync(passkeys, JSON.stringify(entries));
  return { by: 'other', count: 1, signers, passkeys, lasts: day };
}

const rules = rulesFor();

const saying = (said: Partial<ApprovalRecord> = {}, of: Plan = plan): ApprovalRecord => ({
  ...recordOf(of, { verdict: 'approve', at: now - 1_000, expiresAt: now + hour }),
  ...said,
});

const folderOf = (): string => mkdtempSync(join(tmpdir(), 'approvals-'));

async function written(
  signature: Signature,
  said: ApprovalRecord,
  folder = folderOf(),
): Promise<string> {
  await writeRecord(folder, said, signature);
  return folder;
}

async function checked(
  folder: string,
  change: Partial<Parameters<typeof checkApprovals>[2]> = {},
): Promise<ApprovalCheck> {
  const conditions = { rules, authors: ['ann@desk.example'], now, env, ...change };
  return checkApprovals(plan, await recordsIn(folder, plan.id), conditions);
}

const summaryOf = ({ approved, declined, passed, broken, noted }: ApprovalCheck): object => ({
  ...(approved.length > 0 && { approved: approved.map(({ who }) => who[0]) }),
  ...(declined.length > 0 && { declined: declined.map(({ who }) => who[0]) }),
  ...(passed.length > 0 && { passed: passed.map(({ why }) => why) }),
  ...(broken.length > 0 && { broken: broken.map(({ why }) => why) }),
  ...(noted.length > 0 && { noted: noted.map(({ why }) => why) }),
});

/** The outcome of one record by a passkey. */
async function outcome(changes: Changes = {}, by = ben, said = saying()): Promise<object> {
  return summaryOf(await checked(await written(by.sign(bodyOf(said), changes), said)));
}

describe('an approval signed by a passkey', () => {
  test.each([
    ['ES256', ben],
    ['EdDSA', cara],
    ['RS256', dan],
  ])('with %s counts, without a server', async (_name, by) => {
    expect(await outcome({}, by)).toEqual({ approved: [by.entry.who] });
  });

  test('is an approval by the public key that its entry has', async () => {
    const said = saying();
    const { approved } = await checked(await written(ben.sign(bodyOf(said)), said));
    expect(approved[0]?.key).toMatch(/^passkey SHA256:[\w+/]{43}$/);
  });

  test('with a decline blocks the plan', async () => {
    const said = recordOf(plan, { verdict: 'decline', at: now - 1_000 });
    expect(await outcome({}, ben, said)).toEqual({ declined: ['ben@desk.example'] });
  });

  test.each<[string, Changes, RegExp]>([
    ['for another challenge', { challenge: 'AAAA' }, /challenge is not the digest of this record/],
    [
      'on a foreign origin',
      { origin: 'https://evil.example' },
      /signed on https:\/\/evil\.example, not on http/,
    ],
    ['on another port', { origin: 'http://localhost:8788' }, /signed on http:\/\/localhost:8788/],
    ['in a frame of another page', { crossOrigin: true }, /in a frame/],
    ['for another relying party', { rpId: 'desk.example' }, /another relying party than localhost/],
    ['without verification of the person', { flags: 0x01 }, /did not verify the person/],
    ['without presence of the person', { flags: 0x04 }, /was not present/],
    ['when it was enrolled', { type: 'webauthn.create' }, /is of type webauthn\.create/],
    ['with client data that is no object', { clientData: '[]' }, /client data is malformed/],
    ['with client data that is no JSON', { clientData: '{' }, /client data is malformed/],
    ['with client data without fields', { clientData: '{}' }, /is of type undefined/],
    ['with bytes that no flag announces', { more: Buffer.from('x') }, /authenticator data is malf/],
    ['with extensions that are absent', { flags: 0x85 }, /authenticator data is malformed/],
  ])('%s stops every run of the plan', async (_what, changes, why) => {
    expect(await outcome(changes)).toEqual({ broken: [expect.stringMatching(why)] });
  });

  test('with announced extensions counts', async () => {
    expect(await outcome({ flags: 0x85, more: Buffer.from('a0', 'hex') })).toEqual({
      approved: ['ben@desk.example'],
    });
  });

  test('by an unknown passkey does not count', async () => {
    expect(await outcome({}, stranger)).toEqual({
      passed: [expect.stringMatching(/unknown passkey/)],
    });
  });

  test('by the passkey of another person stops every run of the plan', async () => {
    expect(await outcome({ id: cara.entry.id })).toEqual({
      broken: [expect.stringMatching(/the signature is not of the passkey of cara/)],
    });
  });

  test('does not count without a file of passkeys', async () => {
    const said = saying();
    const { passkeys: _none, ...others } = rules;
    const folder = await written(ben.sign(bodyOf(said)), said);
    expect(summaryOf(await checked(folder, { rules: others }))).toEqual({
      passed: [expect.stringMatching(/names no file of passkeys/)],
    });
  });

  test('is bound to every byte of the record', async () => {
    const said = saying();
    const assertion = ben.sign(bodyOf(said));
    const other = saying({ orders: 6 });
    const found = summaryOf(await checked(await written(assertion, other)));
    expect(found).toEqual({ broken: [expect.stringMatching(/challenge is not the digest/)] });
  });

  test('for another plan does not count for this one', async () => {
    const next = sealed({ ...bound, observedAt: bound.observedAt + 1 });
    const said = saying({}, next);
    const assertion = ben.sign(bodyOf(said));
    const folder = folderOf();
    await writeRecord(folder, said, assertion, join(folder, `${plan.id}-replayed.approval`));
    expect(summaryOf(await checked(folder))).toEqual({
      passed: [expect.stringMatching(/is for plan p-.*, not p-/)],
    });
    const forged = saying({}, { ...next, id: plan.id });
    expect(await outcome({}, ben, forged)).toEqual({
      broken: [expect.stringMatching(/the plan it names has digest/)],
    });
  });

  test('expires like any other', async () => {
    expect(await outcome({}, ben, saying({ expiresAt: now - 1 }))).toEqual({
      passed: [expect.stringMatching(/has expired/)],
    });
  });
});

describe('the person of a passkey', () => {
  test('is an author under every name of the allowed signers', async () => {
    const said = saying();
    const folder = await written(ben.sign(bodyOf(said)), said);
    for (const author of ['ben@desk.example', 'BEN@home.example']) {
      const found = summaryOf(await checked(folder, { authors: [author] }));
      expect(found).toEqual({ passed: [expect.stringMatching(/ben@desk.example wrote it/)] });
    }
    expect(await outcome({}, ann)).toEqual({
      passed: [expect.stringMatching(/ann@desk.example wrote it/)],
    });
  });

  test('counts once, with keys of both kinds', async () => {
    const said = saying();
    const folder = await written(ben.sign(bodyOf(said)), said);
    const ssh = signatureIn(await sign(bodyOf(said), benSsh, { env, canAsk: false }));
    if (ssh === undefined) throw new Error('no signature');
    await written(ssh, said, folder);
    const { approved, passed } = await checked(folder);
    expect(approved).toHaveLength(1);
    expect(passed).toEqual([
      { file: expect.any(String), why: 'ben@desk.example has already approved it' },
    ]);
  });

  test('is everyone whose entry has the same public key', async () => {
    const said = saying();
    const shared = { ...ben.entry, who: 'ann@desk.example', id: ann.entry.id };
    const folder = await written(ben.sign(bodyOf(said)), said);
    const found = await checked(folder, { rules: rulesFor([ben.entry, shared]) });
    expect(summaryOf(found)).toEqual({ passed: [expect.stringMatching(/wrote it/)] });
  });

  test('must be among those who may approve', async () => {
    const said = saying();
    const folder = await written(cara.sign(bodyOf(said)), said);
    const only = { ...rules, of: ['ben@home.example'] };
    expect(summaryOf(await checked(folder, { rules: only }))).toEqual({
      passed: [expect.stringMatching(/cara@desk.example is not among/)],
    });
    const own = await written(ben.sign(bodyOf(said)), said);
    expect((await checked(own, { rules: only })).approved).toHaveLength(1);
  });
});

describe('a counter that goes back is reported', () => {
  const counting = rulesFor([{ ...ben.entry, counter: 5 }]);
  const notes = async (counter: number, others: string[] = []): Promise<readonly string[]> => {
    const said = saying();
    const folder = await written(ben.sign(bodyOf(said), { counter }), said);
    const records = await Promise.all(others.map((file) => readRecord(file)));
    const found = await checked(folder, { rules: counting, others: records });
    expect(found.approved).toHaveLength(1);
    return found.noted.map(({ why }) => why);
  };

  test('against the enrolled one', async () => {
    expect(await notes(6)).toEqual([]);
    for (const counter of [0, 4, 5]) {
      expect(await notes(counter)).toEqual([
        expect.stringContaining(`went back to ${counter} after 5`),
      ]);
    }
  });

  test('against an earlier record of another plan, and not against a later or a forged one', async () => {
    const next = sealed({ ...bound, observedAt: bound.observedAt + 1 });
    const record = async (at: number, by = ben): Promise<string> => {
      const said = saying({ at }, next);
      const signature = by.sign(bodyOf(said), { counter: 9, id: ben.entry.id });
      return writeRecord(folderOf(), said, signature);
    };
    expect(await notes(9, [await record(now - hour)])).toEqual([
      expect.stringContaining('went back to 9 after 9'),
    ]);
    expect(await notes(10, [await record(now - hour)])).toEqual([]);
    expect(await notes(8, [await record(now)])).toEqual([]);
    expect(await notes(8, [await record(now - hour, stranger)])).toEqual([]);
  });

  test('never for passkeys without a counter', async () => {
    const said = saying();
    const folder = await written(ben.sign(bodyOf(said)), said);
    const others = await recordsIn(await written(ben.sign(bodyOf(said)), said), plan.id);
    expect((await checked(folder, { others })).noted).toEqual([]);
  });
});

describe('the file of a record', () => {
  const said = saying();
  const assertion = ben.sign(bodyOf(said));
  const text = `${bodyOf(said)}${assertion.armoured}`;

  test('has one form: each other byte is refused', async () => {
    const file = join(folderOf(), 'one.approval');
    const start = bodyOf(said).length;
    for (let at = start; at < text.length; at++) {
      const changed = text[at] === 'A' ? 'B' : 'A';
      writeFileSync(file, text.slice(0, at) + changed + text.slice(at + 1));
      const found = await checkApprovals(plan, [await readRecord(file)], {
        rules,
        authors: [],
        now,
        env,
      });
      expect([at, found.approved]).toEqual([at, []]);
    }
    for (const other of [`${text}\n`, text.trimEnd(), text.replaceAll('\n', '\r\n'), text + text]) {
      writeFileSync(file, other);
      expect((await readRecord(file)).record).toBeUndefined();
    }
  });

  test('may have a comment that looks like a signature', async () => {
    const quoting = saying({ comment: '-----BEGIN PASSKEY ASSERTION-----' });
    expect(await outcome({}, ben, quoting)).toEqual({ approved: ['ben@desk.example'] });
  });

  test.each(['id', 'authenticatorData', 'clientDataJSON', 'signature'] as const)(
    'is refused with a huge, empty or padded %s',
    (field) => {
      const [id, authenticatorData, clientDataJSON, signature] = assertion.armoured
        .split('\n')
        .slice(1, 5)
        .map((line) => line.split(': ')[1] ?? '');
      const fields = { id, authenticatorData, clientDataJSON, signature } as Record<
        'id' | 'authenticatorData' | 'clientDataJSON' | 'signature',
        string
      >;
      expect(assertionOf(fields)?.armoured).toBe(assertion.armoured);
      for (const value of ['', 'A'.repeat(8_000), `${fields[field]}=`, 'A', 'A+B/']) {
        expect(assertionOf({ ...fields, [field]: value })).toBeUndefined();
      }
    },
  );

  test('with a megabyte of signature is refused in no time', () => {
    expect(assertionIn(`${assertion.armoured}${'A'.repeat(1_000_000)}`)).toBeUndefined();
  });
});

describe('passkeys.json', () => {
  const [good] = everyone;
  if (good === undefined) throw new Error('no entry');
  const wrongCurve = generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).publicKey;
  const small = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey;
  const spki = (key: typeof small): string =>
    key.export({ format: 'der', type: 'spki' }).toString('base64url');
  const compressed = createECDH('prime256v1');
  compressed.generateKeys();
  const header = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex');
  const short = Buffer.concat([header, compressed.getPublicKey(undefined, 'compressed')]);

  test.each<[string, Partial<Record<keyof PasskeyEntry | 'extra', unknown>>, RegExp]>([
    ['a field that does not exist', { extra: 1 }, /extra/],
    ['a pattern as a person', { who: '*@desk.example' }, /who/],
    ['two people', { who: 'ann@desk.example,ben@desk.example' }, /who/],
    ['an id with padding', { id: 'AAAA=' }, /id/],
    [
      'an id with bits that are not used',
      { id: 'AB' },
      /entry 1 \(ben@desk.example\): "id" is not b/,
    ],
    ['a key that is no DER', { publicKey: 'AAAA' }, /"publicKey" is not a public key in SPKI form/],
    ['a COSE key', { publicKey: 'pQECAyYgASFYIA' }, /"publicKey" is not a public key in SPKI/],
    [
      'a key of another curve',
      { publicKey: spki(wrongCurve) },
      /"publicKey" is not a key for ES256/,
    ],
    ['a key of another algorithm', { alg: 'RS256' }, /"publicKey" is not a key for RS256/],
    ['a short RSA key', { alg: 'RS256', publicKey: spki(small) }, /is not a key for RS256/],
    ['a compressed point', { publicKey: short.toString('base64url') }, /"publicKey" is not/],
    ['an unknown algorithm', { alg: 'ES512' }, /alg/],
    ['no origin', { origins: [] }, /origins/],
    ['an origin with a path', { origins: ['https://desk.example/'] }, /origins/],
    [
      'an origin of another domain',
      { origins: ['https://desk.example'] },
      /cannot use the relying/,
    ],
    [
      'a domain that only ends alike',
      { rpId: 'desk.example', origins: ['https://evildesk.example'] },
      /cannot use/,
    ],
    [
      'plain HTTP',
      { rpId: 'desk.example', origins: ['http://desk.example'] },
      /cannot use the rel/,
    ],
    [
      'an IP address',
      { rpId: '127.0.0.1', origins: ['http://127.0.0.1:8787'] },
      /cannot use the r/,
    ],
    [
      'a default port',
      { rpId: 'desk.example', origins: ['https://desk.example:443'] },
      /cannot use/,
    ],
    ['a negative counter', { counter: -1 }, /counter/],
    ['a local time', { addedAt: '2026-01-02' }, /addedAt/],
  ])('with %s is refused', async (_what, change, why) => {
    const file = rulesFor([{ ...good, ...change }]).passkeys ?? '';
    await expect(readPasskeys(file)).rejects.toThrow(why);
    await expect(readPasskeys(file)).rejects.toThrow(file);
  });

  test('is refused when an id is listed twice, a key is duplicated, or it is missing', async () => {
    expect(() => passkeysIn([good, { ...good, who: 'x@desk.example' }])).toThrow(
      'entry 2 (x@desk.example): "id" is also that of entry 1',
    );
    const file = rulesFor().passkeys ?? '';
    writeFileSync(file, '[{"who":"a@b","who":"c@d"}]');
    await expect(readPasskeys(file)).rejects.toThrow(/duplicate key/);
    writeFileSync(file, '{}');
    await expect(readPasskeys(file)).rejects.toThrow(/list|array/);
    await expect(readPasskeys(`${file}.none`)).rejects.toThrow(/file of passkeys not found/);
  });

  test('may name a domain and its hosts', () => {
    const entry = { ...good, rpId: 'desk.example', origins: ['https://run.desk.example:8443'] };
    expect(passkeysIn([entry])).toHaveLength(1);
    expect(passkeysIn([])).toEqual([]);
  });
});

test('what Chromium signed for a text is accepted, and nothing else', () => {
  const [key] = passkeysIn([chromium.entry]);
  const assertion = assertionOf(chromium.assertion);
  if (key === undefined || assertion === undefined) throw new Error('the fixture is not valid');
  expect(assertionProblem(assertion, chromium.body, key)).toBeUndefined();
  expect(assertionProblem(assertion, `${chromium.body} `, key)).toMatch(/challenge/);
  expect(authenticatorIn(assertion.authenticatorData)).toMatchObject({
    isPresent: true,
    isVerified: true,
  });
  expect(readFileSync(join(import.meta.dirname, 'chromium.json'), 'utf8')).not.toMatch(/private/i);
});
