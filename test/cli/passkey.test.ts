/** A plan approved by a passkey: signed elsewhere, checked and saved here, run without a server. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { authenticatorOf } from '../engine/approval/authenticator.ts';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { ladder, resting } from './ladder.ts';
import { commitByAnnForPipeline } from '../support/repository.ts';

const ann = authenticatorOf('ann@desk.example'); // writes the playbook
const ben = authenticatorOf('ben@desk.example');
const stranger = authenticatorOf('stranger@desk.example');
const benSsh = keyOf('passkey-cli-ben');

const rules =
  'by: other, signers: ./allowed_signers, passkeys: ./passkeys.json, records: approvals';

interface Place {
  readonly cwd: string;
  readonly at: (...words: string[]) => Promise<Ended>;
  /** The same with a text on stdin. */
  readonly into: (text: string, ...words: string[]) => Promise<Ended>;
}

function repository(count = 1): Place {
  const cwd = folderWith({
    'ladder.yaml': ladder,
    'deskhand.yaml': `profiles: { main: { approve: { ${rules}, count: ${count} } } }\n`,
    allowed_signers: `ben@desk.example ${publicOf(benSsh)}\n`,
    'passkeys.json': JSON.stringify([ann.entry, ben.entry]),
  });
  commitByAnnForPipeline(cwd);
  const at = (...words: string[]): Promise<Ended> => deskhand(words, { cwd });
  return { cwd, at, into: (text, ...words) => given(text, words, cwd) };
}

async function given(text: string, words: string[], cwd: string): Promise<Ended> {
  const file = join(cwd, '.given');
  writeFileSync(file, text);
  return deskhand(
    words.map((word) => (word === '-' ? '.given' : word)),
    { cwd },
  );
}

/** What the passkey of a person makes of the record that is offered. */
async function signedBy(
  by: typeof ben,
  { at }: Place,
  ...words: string[]
): Promise<{ readonly text: string; readonly record: string }> {
  const offered = await at(...words, '--unsigned', '-o', 'json');
  expect([offered.code, offered.stderr]).toEqual([0, '']);
  const { record } = JSON.parse(offered.stdout) as { record: string };
  return { text: record + by.sign(record).armoured, record };
}

test('a plan runs after another person has signed it with a passkey', async () => {
  const place = repository();
  const { cwd, at, into } = place;
  await at('plan', 'ladder.yaml', '--out', 'plan.json');
  const offered = JSON.parse((await at('approve', 'plan.json', '--unsigned', '-o', 'json')).stdout);
  expect(offered).toMatchObject({
    version: 1,
    passkeys: [{ who: 'ann@desk.example' }, { who: 'ben@desk.example', rpId: 'localhost' }],
    plan: { totals: { orders: 3 } },
    required: [{ profile: 'main', by: 'other', count: 1, approved: [], declined: [], notes: [] }],
  });
  expect(JSON.parse(offered.record)).toMatchObject({ verdict: 'approve', orders: 3 });
  expect(readdirSync(cwd)).not.toContain('approvals');

  const own = await signedBy(ann, place, 'approve', 'plan.json');
  const refused = await into(own.text, 'approve', 'plan.json', '--record', '-');
  expect([refused.code, refused.stderr]).toEqual([
    5,
    expect.stringContaining('ann@desk.example wrote it'),
  ]);
  const unknown = await signedBy(stranger, place, 'approve', 'plan.json');
  const other = await into(unknown.text, 'approve', 'plan.json', '--record', '-');
  expect([other.code, other.stderr]).toEqual([5, expect.stringContaining('an unknown passkey')]);
  expect((await at('run', 'plan.json')).code).toBe(5);

  const good = await signedBy(ben, place, 'approve', 'plan.json', '--comment', 'looks right');
  const saved = await into(good.text, 'approve', 'plan.json', '--record', '-');
  expect([saved.code, saved.stdout]).toEqual([
    0,
    expect.stringMatching(/^approved p-\w+ as ben@desk.example \(passkey SHA256:.*\)\nsaved /),
  ]);
  // The same record again is the same file.
  expect((await into(good.text, 'approve', 'plan.json', '--record', '-')).code).toBe(0);
  const files = readdirSync(join(cwd, 'approvals'));
  expect(files).toHaveLength(1);
  expect(readFileSync(join(cwd, 'approvals', files[0] ?? ''), 'utf8')).toBe(good.text);

  const run = await at('run', 'plan.json', '-o', 'ndjson');
  expect([run.code, await resting(cwd)]).toEqual([0, 3]);
  const [started = ''] = run.stdout.split('\n');
  expect(JSON.parse(started).approvals).toEqual([
    {
      who: 'ben@desk.example',
      key: expect.stringMatching(/^passkey SHA256:/),
      at: expect.any(Number),
    },
  ]);
});

test('a record is refused for another plan, with other numbers, and for another decision', async () => {
  const place = repository();
  const { cwd, at, into } = place;
  await at('plan', 'ladder.yaml', '--out', 'plan.json');
  await at('plan', 'ladder.yaml', '--out', 'next.json');
  const good = await signedBy(ben, place, 'approve', 'plan.json');
  const replayed = await into(good.text, 'approve', 'next.json', '--record', '-');
  expect([replayed.code, replayed.stderr]).toEqual([5, expect.stringMatching(/is about plan p-/)]);
  const reversed = await into(good.text, 'decline', 'plan.json', '--record', '-');
  expect([reversed.code, reversed.stderr]).toEqual([
    5,
    expect.stringContaining('is a record to approve a plan'),
  ]);
  const fewer = good.record.replace('"orders": 3', '"orders": 1');
  const forged = fewer + ben.sign(fewer).armoured; // Ben was shown another number
  const wrong = await into(forged, 'approve', 'plan.json', '--record', '-');
  expect([wrong.code, wrong.stderr]).toEqual([
    5,
    expect.stringContaining('has other numbers than'),
  ]);
  const changed = fewer + ben.sign(good.record).armoured;
  expect((await into(changed, 'approve', 'plan.json', '--record', '-')).code).toBe(5);
  expect((await into('{}\n', 'approve', 'plan.json', '--record', '-')).stderr).toContain(
    'is not a signed record',
  );
  expect(readdirSync(cwd)).not.toContain('approvals');

  await into(good.text, 'approve', 'plan.json', '--record', '-');
  const [file = ''] = readdirSync(join(cwd, 'approvals'));
  const path = join(cwd, 'approvals', file);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"orders": 3', '"orders": 4'));
  const { code, stderr } = await at('run', 'plan.json');
  expect([code, stderr]).toEqual([5, expect.stringContaining('cannot be trusted')]);
});

test('a passkey and an SSH key of one person are one approval, and a decline blocks', async () => {
  const place = repository(2);
  const { at, into } = place;
  await at('plan', 'ladder.yaml', '--out', 'plan.json');
  const good = await signedBy(ben, place, 'approve', 'plan.json');
  await into(good.text, 'approve', 'plan.json', '--record', '-');
  expect((await at('approve', 'plan.json', '--key', benSsh)).code).toBe(0);
  const one = await at('run', 'plan.json');
  expect([one.code, one.stderr]).toEqual([5, expect.stringContaining('requires 2 approvals')]);
  const no = await signedBy(ann, place, 'decline', 'plan.json', '--comment', 'too near');
  expect((await into(no.text, 'decline', 'plan.json', '--record', '-')).code).toBe(0);
  const blocked = await at('run', 'plan.json');
  expect([blocked.code, blocked.stderr]).toEqual([
    5,
    expect.stringContaining('was declined by ann@desk.example: too near'),
  ]);
});

test('a file of passkeys that is not valid stops the run and names the entry', async () => {
  const { cwd, at } = repository();
  await at('plan', 'ladder.yaml', '--out', 'plan.json');
  await at('approve', 'plan.json', '--key', benSsh);
  writeFileSync(join(cwd, 'passkeys.json'), JSON.stringify([{ ...ben.entry, alg: 'RS256' }]));
  const { code, stderr } = await at('run', 'plan.json');
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(
      /passkeys\.json: entry 1 \(ben@desk\.example\): "publicKey" is not a key/,
    ),
  ]);
});
