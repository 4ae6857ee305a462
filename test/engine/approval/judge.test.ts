/** Which signed approvals count for a plan, checked with the real ssh-keygen. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { day, hour } from '../../../src/base/clock.ts';
import {
  checkApprovals,
  type ApprovalRules,
  type ApprovalCheck,
  type ApprovalConditions,
} from '../../../src/engine/approval/check.ts';
import { sign } from '../../../src/engine/approval/keygen.ts';
import {
  bodyOf,
  readRecord,
  recordOf,
  recordsIn,
  writeRecord,
  type ApprovalRecord,
} from '../../../src/engine/approval/record.ts';
import { signatureIn } from '../../../src/engine/approval/signature.ts';
import { keyOf, publicOf, signersOf } from './keys.ts';
import { env, now, plan } from './judged-plan.ts';

const ann = keyOf('ann');
const ben = keyOf('ben', 'rsa');
const cara = keyOf('cara', 'ecdsa');
const stranger = keyOf('stranger');
const signers = signersOf([
  `ann@desk.example,ann@home.example namespaces="approval@deskhand" ${publicOf(ann)}`,
  `ben@desk.example ${publicOf(ben)}`,
  `cara@desk.example ${publicOf(cara)}`,
]);

const rules: ApprovalRules = { by: 'other', count: 1, signers, lasts: day };
const judging: ApprovalConditions = { rules, authors: ['ann@desk.example'], now, env };
const options = { env, canAsk: false };

type Said = Partial<ApprovalRecord> & Pick<ApprovalRecord, 'verdict'>;
const approves: Said = { verdict: 'approve' };

/** A folder with one record for each key. */
async function folderOf(...said: readonly (readonly [key: string, said: Said])[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'approvals-'));
  for (const [key, word] of said) {
    const base = recordOf(plan, { verdict: word.verdict, at: now - 1_000, expiresAt: now + hour });
    const record = { ...base, ...word };
    const signature = signatureIn(await sign(bodyOf(record), key, options));
    if (signature === undefined) throw new Error('no signature');
    await writeRecord(folder, record, signature);
  }
  return folder;
}

async function judged(
  folder: string,
  change: Partial<ApprovalConditions> = {},
): Promise<ApprovalCheck> {
  return checkApprovals(plan, await recordsIn(folder, plan.id), { ...judging, ...change });
}

const summaryOf = ({ approved, declined, passed, broken }: ApprovalCheck): object => ({
  approved: approved.map(({ who }) => who[0]),
  declined: declined.map(({ who }) => who[0]),
  passed: passed.map(({ why }) => why),
  broken: broken.map(({ why }) => why),
});

describe('a signed approval', () => {
  test.each([
    ['rsa', ben, 'ben@desk.example'],
    ['ecdsa', cara, 'cara@desk.example'],
  ])('with a key of type %s counts', async (_type, key, name) => {
    const found = summaryOf(await judged(await folderOf([key, approves])));
    expect(found).toEqual({ approved: [name], declined: [], passed: [], broken: [] });
  });

  test('of an author does not count, under any of their names', async () => {
    const folder = await folderOf([ann, approves]);
    for (const author of ['ann@desk.example', 'ANN@HOME.example']) {
      expect((await judged(folder, { authors: [author] })).passed[0]?.why).toMatch(/wrote it/);
    }
    const anyone = { rules: { ...rules, by: 'anyone' as const } };
    expect((await judged(folder, anyone)).approved).toHaveLength(1);
  });

  test('with a key on two lines of the signers belongs to both names', async () => {
    const line = (name: string, key: string): string => `${name} ${publicOf(key)}`;
    const twice = signersOf(
      [
        line('alias@desk.example', ann),
        line('ben@desk.example', ben),
        `"ann@desk.example,ann@home.example" namespaces="approval@deskhand" ${publicOf(ann)}`,
      ],
      'twice',
    );
    const change = { rules: { ...rules, signers: twice } };
    const found = await judged(await folderOf([ann, approves], [ben, approves]), change);
    expect(found.passed.map(({ why }) => why)).toEqual([expect.stringMatching(/wrote it/)]);
    expect(found.approved.map(({ who }) => who)).toEqual([['ben@desk.example']]);
    const other = await judged(await folderOf([ann, approves]), { ...change, authors: ['ben@x'] });
    expect(other.approved.map(({ who }) => who)).toEqual([
      ['alias@desk.example', 'ann@desk.example', 'ann@home.example'],
    ]);
  });

  test.each<[string, string, Said, RegExp]>([
    ['of an unknown key', stranger, approves, /signed with an unknown key/],
    ['that has expired', ben, { ...approves, expiresAt: now - 1 }, /approval of ben.* has expired/],
    [
      'that is older than the profile lets it be',
      ben,
      { ...approves, at: now - 2 * day },
      /expired/,
    ],
    ['from the future', ben, { ...approves, at: now + hour }, /in the future/],
  ])('%s does not count', async (_name, key, said, why) => {
    const found = await judged(await folderOf([key, said]));
    expect([found.approved, found.broken]).toEqual([[], []]);
    expect(found.passed[0]?.why).toMatch(why);
  });

  test.each(['"expiresAt": "never"', '"comment": {}', '"at": "now"', '"plan": 7'])(
    'with %s is not an approval',
    async (field) => {
      const said: Said = JSON.parse(`{ "verdict": "approve", ${field} }`);
      const { plan: name = plan.id } = said;
      const folder = await folderOf([ben, said]);
      const found = await checkApprovals(plan, await recordsIn(folder, String(name)), judging);
      expect(summaryOf(found)).toMatchObject({
        approved: [],
        broken: ['it is not an approval of this version'],
      });
    },
  );

  test('for another digest is refused, even with the same plan id', async () => {
    const found = await judged(await folderOf([ben, { ...approves, digest: 'f'.repeat(64) }]));
    expect(found.broken[0]?.why).toMatch(
      /^it is for another p-.*: the plan it names has digest f+$/,
    );
  });

  test('counts only if its signer is listed', async () => {
    const folder = await folderOf([ben, approves], [cara, { verdict: 'decline' }]);
    const found = await judged(folder, { rules: { ...rules, of: ['ben@desk.example'] } });
    expect(summaryOf(found)).toEqual({
      approved: ['ben@desk.example'],
      declined: [],
      passed: ['cara@desk.example is not among those who may approve'],
      broken: [],
    });
  });

  test('counts once per person, with any number of keys', async () => {
    const other = keyOf('ben2');
    const both = signersOf(
      [`ben@desk.example ${publicOf(ben)}`, `ben@desk.example ${publicOf(other)}`],
      'two',
    );
    const folder = await folderOf([ben, approves], [other, approves]);
    const found = await judged(folder, { rules: { ...rules, signers: both } });
    expect([found.approved.length, found.passed[0]?.why]).toEqual([
      1,
      'ben@desk.example has already approved it',
    ]);
  });

  test('is outweighed by one that declines', async () => {
    const folder = await folderOf([ben, approves], [cara, { verdict: 'decline', comment: 'no' }]);
    const found = await judged(folder);
    expect([found.approved.length, found.declined[0]?.comment]).toEqual([1, 'no']);
  });

  test('of a signer that is a pattern is refused', async () => {
    const pattern = signersOf([`*@desk.example ${publicOf(ben)}`], 'pattern');
    const found = await judged(await folderOf([ben, approves]), {
      rules: { ...rules, signers: pattern },
    });
    expect(found.passed[0]?.why).toMatch(/a pattern and not a name/);
  });

  test('of a key that is no longer allowed is refused', async () => {
    const old = signersOf([`ben@desk.example valid-before="20200101" ${publicOf(ben)}`], 'old');
    const found = await judged(await folderOf([ben, approves]), {
      rules: { ...rules, signers: old },
    });
    expect(found.approved).toEqual([]);
    expect([...found.broken, ...found.passed]).toHaveLength(1);
  });

  test('with another namespace is refused', async () => {
    const folder = await folderOf([ben, approves]);
    const [record] = await recordsIn(folder, plan.id);
    const file = record?.file ?? '';
    const body = join(folder, 'body');
    writeFileSync(body, record?.body ?? '');
    execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-f', ben, '-n', 'git', body], {
      stdio: 'pipe',
    });
    writeFileSync(file, `${record?.body}${readFileSync(`${body}.sig`, 'utf8')}`);
    const found = await judged(folder);
    expect(found.broken[0]?.why).toBe('it was signed for git, not for approval@deskhand');
  });
});

describe('a record changed by one byte', () => {
  let folder = '';
  let file = '';
  let whole = Buffer.alloc(0);
  beforeAll(async () => {
    folder = await folderOf([ben, approves]);
    file = (await recordsIn(folder, plan.id))[0]?.file ?? '';
    whole = readFileSync(file);
  });

  // Every byte in 17 tests: each one changes every seventeenth, so that all parts of the file are covered.
  test.each(Array.from({ length: 17 }, (_, start) => start))(
    'does not count (%i)',
    async (start) => {
      for (let at = start * 3; at < whole.length; at += 51) {
        const changed = Buffer.from(whole);
        changed.writeUInt8((whole[at] ?? 0) ^ 1, at);
        writeFileSync(file, changed);
        const found = await checkApprovals(plan, [await readRecord(file)], judging);
        expect([at, found.approved]).toEqual([at, []]);
      }
    },
    30_000,
  );

  test('nor does one with a longer or shorter signature', async () => {
    for (const text of [
      `${whole.toString()}\n`,
      whole.toString().trimEnd(),
      ` ${whole.toString()}`,
    ]) {
      writeFileSync(file, text);
      expect((await checkApprovals(plan, [await readRecord(file)], judging)).approved).toEqual([]);
    }
  });
});

test('an error of ssh-keygen is quoted when a key cannot sign', async () => {
  await expect(sign('x', '/nowhere/key', options)).rejects.toThrow(
    /^ssh-keygen could not sign with \/nowhere\/key: /,
  );
  await expect(
    sign('x', ben, { env: { TMPDIR: env.TMPDIR, PATH: '/nowhere' }, canAsk: false }),
  ).rejects.toThrow('ssh-keygen is not installed, or not on PATH: it signs and verifies approvals');
});
