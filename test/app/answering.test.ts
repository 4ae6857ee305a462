/** Who may answer a question of a run, and whether recorded answers still count on another machine. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { day, hour, standingClock } from '../../src/base/clock.ts';
import { readableJson } from '../../src/base/json.ts';
import { answerTo } from '../../src/engine/approval/answer-record.ts';
import { answerText } from '../../src/engine/approval/record.ts';
import type { ApprovalRules } from '../../src/engine/approval/check.ts';
import type { AskedEvent } from '../../src/engine/effects/people.ts';
import type { Answer } from '../../src/engine/journal/people-answers.ts';
import { answerRules } from '../../src/app/answering/answer-rules.ts';
import { signedAnswers } from '../../src/app/answering/signed-answers.ts';
import type { Config } from '../../src/app/config/load.ts';
import { builtInProfile } from '../../src/app/config/profile.ts';
import { authenticatorOf } from '../engine/approval/authenticator.ts';
import { destination } from '../support/harness.ts';

const ben = authenticatorOf('ben@desk.example');
const cara = authenticatorOf('cara@desk.example');
const stranger = authenticatorOf('stranger@desk.example');

const folder = mkdtempSync(join(tmpdir(), 'answers-'));
writeFileSync(join(folder, 'signers'), '');
writeFileSync(join(folder, 'passkeys.json'), JSON.stringify([ben.entry, cara.entry]));

const own: ApprovalRules = {
  by: 'anyone',
  count: 1,
  signers: join(folder, 'signers'),
  passkeys: join(folder, 'passkeys.json'),
  lasts: day,
};

const profile = { ...builtInProfile, name: 'main', approvers: own };

/** @param rules of the profile main */
function configWith(rules: Partial<ApprovalRules>, store: 'local' | 'git' = 'git'): Config {
  const approvers = { ...own, ...rules };
  return {
    stateDir: folder,
    state: { store } as Config['state'],
    profiles: new Map([['main', { ...profile, approvers }]]),
    initial: 'main',
  };
}

test.each([
  ['nothing said', {}, {}, { by: 'anyone', count: 1 }],
  ['the profile', { by: 'other', count: 2 }, {}, { by: 'other', count: 2 }],
  ['a stricter step', {}, { by: 'other', count: 3 }, { by: 'other', count: 3 }],
  [
    'a laxer step',
    { by: 'other', count: 2 },
    { by: 'anyone', count: 1 },
    { by: 'other', count: 2 },
  ],
  ['people of the step', {}, { of: ['ben@d'] }, { of: ['ben@d'] }],
  ['people of both', { of: ['ann@d', 'BEN@d'] }, { of: ['ben@d', 'cara@d'] }, { of: ['ben@d'] }],
] as const)('a step only tightens the rules of its profile: %s', (_what, rules, asked, wanted) => {
  expect(answerRules('main', asked, configWith(rules))).toMatchObject(wanted);
});

test('rules that nobody can meet are refused', () => {
  const none = (rules: Partial<ApprovalRules>, asked: object): string => {
    try {
      answerRules('main', asked, configWith(rules));
      return 'accepted';
    } catch (error) {
      return String(error);
    }
  };
  expect(none({ of: ['ann@d'] }, { of: ['ben@d'] })).toContain('cannot be reached');
  expect(none({}, { of: ['ben@d'], count: 2 })).toContain('cannot be reached');
  expect(() => answerRules('other', {}, configWith({}))).toThrow('names nobody who may approve');
});

const at = Date.parse('2026-11-20T12:00:00Z');

const asked: AskedEvent = {
  kind: 'asked',
  address: 'consent',
  destination,
  time: at,
  until: at + hour,
  text: 'Go on?',
  lasts: hour,
  effects: [],
  digest: 'd1',
};

const run = {
  run: 'r-one',
  playbook: { name: 'one', file: 'one.yaml', digest: 'x', text: '' },
  authors: [],
};

function answered(by: typeof ben, change: Partial<AskedEvent> = {}, signedRun = 'r-one'): Answer {
  const subject = { run: signedRun, playbook: 'one', asked: { ...asked, ...change } };
  const said = answerTo(subject, { verdict: 'approve', at });
  const text = answerText(said, by.sign(readableJson(said)));
  return { who: by.entry.who, key: 'key', at, text };
}

const confirm = (answers: readonly Answer[], rules = {}, store?: 'local'): Promise<void> => {
  const context = {
    env: {},
    folder,
    globals: {},
    clock: standingClock(at + 30 * day), // long after it was approved
    secrets: [],
    note: () => undefined,
  };
  return signedAnswers(run, profile, configWith(rules, store), context).confirm(asked, answers);
};

test('what people approved is accepted on another machine, however late', async () => {
  await expect(confirm([answered(ben)])).resolves.toBeUndefined();
  await expect(confirm([answered(ben), answered(cara)], { count: 2 })).resolves.toBeUndefined();
});

test.each([
  ['nobody', [], {}, 'there are too few'],
  ['too few', [answered(ben)], { count: 2 }, 'there are too few'],
  ['one person twice', [answered(ben), answered(ben)], { count: 2 }, 'already approved'],
  ['an unknown passkey', [answered(stranger)], {}, 'unknown passkey'],
  ['a person who may not', [answered(ben)], { of: ['cara@desk.example'] }, 'not among those'],
  ['another run', [answered(ben, {}, 'r-two')], {}, 'it is for run r-two'],
  ['another step', [answered(ben, { address: 'other' })], {}, 'it is for step other'],
  ['another question', [answered(ben, { digest: 'd2' })], {}, 'another question'],
  ['a longer time', [answered(ben, { until: at + day })], {}, 'another question'],
  [
    'another account',
    [answered(ben, { destination: { ...destination, host: 'elsewhere' } })],
    {},
    'another account',
  ],
  [
    'a changed text',
    [{ ...answered(ben), text: answered(ben).text.replace('"r-one"', '"r-one" ') }],
    {},
    'does not count here',
  ],
] as const)('a recorded approval of %s stops the run', async (_what, answers, rules, why) => {
  await expect(confirm(answers, rules)).rejects.toThrow(why);
});

test('the journal of this machine alone is trusted, as its reads are', async () => {
  await expect(confirm([], {}, 'local')).resolves.toBeUndefined();
});
