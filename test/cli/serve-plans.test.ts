/** Plans on the server: what a browser sends is checked as by `approve`, and no process is started for it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { authenticatorOf } from '../engine/approval/authenticator.ts';
import { served, type Served } from '../serve/server/desk.ts';
import { limitOrder } from '../support/order.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { ladder } from './ladder.ts';
import { commitByAnn } from '../support/repository.ts';

const ben = authenticatorOf('ben@desk.example');
const stranger = authenticatorOf('stranger@desk.example');

/** A desk with one plan that waits; its clock is that of the machine when the plan was made. */
async function waiting({
  more = '',
  ...options
}: { readonly isReadOnly?: boolean; readonly more?: string } = {}): Promise<{
  readonly server: Served;
  readonly cwd: string;
  readonly plan: string;
}> {
  const rules = 'by: other, signers: ./allowed_signers, passkeys: ./passkeys.json';
  const cwd = folderWith({
    'ladder.yaml': ladder.replace('  - id: tickers', `${more}  - id: tickers`),
    'deskhand.yaml': `profiles: { main: { approve: { ${rules} } }, second: { as: leader } }\n`,
    allowed_signers: '',
    'passkeys.json': JSON.stringify([ben.entry]),
  });
  commitByAnn(cwd);
  const made = await deskhand(['plan', 'ladder.yaml', '-o', 'json'], { cwd });
  const { id } = JSON.parse(made.stdout) as { id: string };
  const command = ['/no/such/program'] as const; // it starts none
  return { server: await served({ folder: cwd, command, ...options }), cwd, plan: id };
}

const fieldsOf = (armoured: string): Record<string, string> =>
  Object.fromEntries(
    armoured
      .split('\n')
      .slice(1, 5)
      .map((line) => line.split(': ')),
  );

async function recordOf(server: Served, plan: string, query = 'verdict=approve'): Promise<string> {
  const answer = await server.get(`/plans/${plan}/record?${query}`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { record: string }).record;
}

test('a plan that waits is on the list and on home, until it is approved', async () => {
  const { server, cwd, plan } = await waiting();
  const home = await (await server.get('/home')).json();
  expect(home).toMatchObject({
    needs: [{ kind: 'approval', plan, label: 'waits for approval' }],
  });
  const view = await (await server.get(`/plans/${plan}`)).json();
  expect(view).toMatchObject({
    plan,
    profile: 'main',
    what: '3 orders, 1,185.00',
    passkeys: [{ who: 'ben@desk.example' }],
    required: [{ profile: 'main', count: 1, approved: [] }],
  });
  const record = await recordOf(server, plan, 'verdict=approve&comment=--key');
  expect(JSON.parse(record)).toMatchObject({ verdict: 'approve', comment: '--key' });
  const assertion = fieldsOf(ben.sign(record).armoured);
  const saved = await server.post(`/plans/${plan}/decision`, { record, assertion });
  expect([saved.status, await saved.json()]).toEqual([
    200,
    expect.objectContaining({ who: 'ben@desk.example', verdict: 'approve' }),
  ]);
  expect(readdirSync(join(cwd, '.deskhand', 'approvals'))).toHaveLength(1);
  expect(await (await server.get('/home')).json()).toMatchObject({ needs: [] });
  expect(await (await server.get('/plans')).json()).toMatchObject({ plans: [{ state: 'signed' }] });
});

test('a plan of two accounts names both, on the list and on home', async () => {
  const more = `  - id: hedge
    account: second
    uses: futures/place-order
    with:${limitOrder({ price: '40000', size: '0.01' })}
`;
  const { server } = await waiting({ more });
  expect(await (await server.get('/plans')).json()).toMatchObject({
    plans: [{ profile: 'main', otherAccounts: ['second'], what: '4 orders, 1,585.00' }],
  });
  expect(await (await server.get('/home')).json()).toMatchObject({
    needs: [{ text: '4 orders, 1,585.00 on main and second; it has 0 of 1 approval.' }],
  });
});

test('what does not count is refused, and nothing is saved', async () => {
  const { server, cwd, plan } = await waiting();
  const record = await recordOf(server, plan);
  const good = fieldsOf(ben.sign(record).armoured);
  const fewer = record.replace('"orders": 3', '"orders": 1');
  const cases: readonly (readonly [string, object, number, RegExp])[] = [
    [
      'an unknown passkey',
      { record, assertion: fieldsOf(stranger.sign(record).armoured) },
      409,
      /an unknown passkey/,
    ],
    [
      'other numbers',
      { record: fewer, assertion: fieldsOf(ben.sign(fewer).armoured) },
      409,
      /other numbers/,
    ],
    [
      'a changed record',
      { record: record.replace('{\n', '{ \n'), assertion: good },
      409,
      /digest of this record/,
    ],
    ['no record', { record: '{}', assertion: good }, 400, /not a record/],
    ['padding', { record, assertion: { ...good, id: `${good['id']}=` } }, 400, /not a record/],
    ['a huge field', { record, assertion: { ...good, signature: 'A'.repeat(9_000) } }, 400, /body/],
    ...['live', 'demo'].map(
      (target) =>
        [
          `a ${target} account that was not typed`,
          {
            record: record.replace('"target": "sandbox"', `"target": "${target}"`),
            assertion: good,
          },
          409,
          new RegExp(`orders of the ${target} account main"`),
        ] as const,
    ),
  ];
  for (const [what, body, status, message] of cases) {
    const answer = await server.post(`/plans/${plan}/decision`, body);
    expect([what, answer.status, await answer.text()]).toEqual([
      what,
      status,
      expect.stringMatching(message),
    ]);
  }
  for (const path of [
    '/plans/p-00000000',
    `/plans/${plan}x`,
    `/plans/${plan}?desk=other`,
    '/plans/--key',
  ]) {
    expect([path, (await server.get(path)).status >= 400]).toEqual([path, true]);
  }
  expect(existsSync(join(cwd, '.deskhand', 'approvals'))).toBe(false);
});

test('a read-only server shows plans, and saves no record', async () => {
  const { server, plan } = await waiting({ isReadOnly: true });
  expect((await server.get(`/plans/${plan}`)).status).toBe(200);
  expect((await server.post(`/plans/${plan}/decision`, {})).status).toBe(404);
  expect((await server.post('/passkeys', {})).status).toBe(404);
});
