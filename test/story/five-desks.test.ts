/** Five desks from an empty folder: one plan, one review, one run; then one desk changes, and someone trades by hand. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand, type Ended } from '../cli/deskhand.ts';
import { checkout, commentsApi, push, put } from '../pipelines/host.ts';
import { git } from '../stores/machines.ts';
import { annsKey, bensKey, team, type Accounts, type Team } from './team.ts';

const desks = ['alpha', 'bravo', 'charlie', 'delta', 'echo'];
const uidOf = (desk: string): string => `750000000${desks.indexOf(desk)}`;

/** Each desk has an account of its own on the exchange, with a key, money and an open position. */
const scenario = JSON.stringify({
  version: 1,
  accounts: desks.map((desk) => ({ uid: uidOf(desk), positionMode: 'hedge_mode' })),
  keys: desks.map((desk) => ({
    uid: uidOf(desk),
    apiKey: `key-of-${desk}`,
    secretKey: `secret-of-${desk}`,
    passphrase: `words-of-${desk}`,
    permissions: ['account-read', 'trade-read', 'account-write', 'trade-write'],
  })),
  transfers: desks.map((desk) => ({
    uid: uidOf(desk),
    walletType: 'USDT-FUTURES',
    coin: 'USDT',
    amount: '100000',
  })),
  orders: desks.map((desk) => ({
    uid: uidOf(desk),
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    side: 'buy',
    tradeSide: 'open',
    orderType: 'market',
    size: '0.001',
  })),
});

/** The guards of main bound the whole run, those of a desk its own part. */
const accounts: Accounts = {
  profiles: ({ baseUrl }) =>
    [
      ['main', '7000000002', '{ writes: 10, notional: 5000 }'],
      ...desks.map((desk) => [desk, uidOf(desk), '{ writes: 2, order: 1000 }']),
    ]
      .map(
        ([name = '', uid, guards]) => `  ${name}:
    target: live
    base-url: "${baseUrl}"
    account-id: "${uid}"
    secrets: { env: ${name.toUpperCase()} }
    guards: ${guards}
    approve: { by: other, signers: ./allowed_signers, records: approvals }`,
      )
      .join('\n'),
  secrets: (exchange) => {
    const main = exchange.env('hedge');
    const parts = ['KEY', 'SECRET', 'PASSPHRASE'];
    return Object.fromEntries([
      ...parts.map((part) => [`MAIN_API_${part}`, main[`DESKHAND_API_${part}`]]),
      ...desks.flatMap((desk) => [
        [`${desk.toUpperCase()}_API_KEY`, `key-of-${desk}`],
        [`${desk.toUpperCase()}_API_SECRET`, `secret-of-${desk}`],
        [`${desk.toUpperCase()}_API_PASSPHRASE`, `words-of-${desk}`],
      ]),
    ]);
  },
};

const file = 'playbooks/five-desks.yaml';
const plan = 'plans/five-desks.json';

/** What the exchange itself has of each desk: the leverage of its position, and what rests. */
async function booksOf({ exchange }: Team): Promise<readonly string[]> {
  const asked = async (path: string): Promise<unknown> =>
    Object(await (await fetch(`${exchange.controlUrl}/${path}`)).json()).data;
  const lines: string[] = [];
  for (const desk of desks) {
    const positions = (await asked(`positions?uid=${uidOf(desk)}`)) as { leverage: string }[];
    const { open } = (await asked(`orders?uid=${uidOf(desk)}`)) as { open: Resting[] };
    const orders = open.map(({ side, qty, price }) => `${side} ${qty} @ ${price}`).toSorted();
    lines.push(`${desk} ${positions.map(({ leverage }) => leverage).join()}× ${orders.join(', ')}`);
  }
  return lines;
}

interface Resting {
  readonly orderId: string;
  readonly side: string;
  readonly qty: string;
  readonly price: string;
}

/** A branch from plan to merge: Ann writes, the pipeline comments, Ben signs. @returns the comment and the merge */
async function reviewed(
  { ann, ben, repo, run, world }: Team,
  branch: string,
): Promise<{ readonly comment: string; readonly merge: string; readonly signed: string }> {
  const planned = await run(ann, `deskhand plan ${file} --expires 2h --out ${plan}`);
  expect(planned).toMatchObject({ code: 0 });
  const id = /^Plan (p-[0-9a-f]{8})/m.exec(planned.text)?.[1] ?? '';
  push(repo, branch, 'Its plan');
  const comments = await commentsApi();
  put(world, { 'event.json': JSON.stringify({ pull_request: { number: 1 } }) });
  const commented = await run(
    ann,
    'deskhand plan --changed-since origin/main -o markdown > ../plan.md && deskhand comment ../plan.md',
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'desk/books',
      GITHUB_API_URL: comments.url,
      GITHUB_EVENT_PATH: join(world, 'event.json'),
      GITHUB_TOKEN: 'token',
    },
  );
  expect(commented).toMatchObject({ code: 0 });
  const comment = comments.bodies().at(-1) ?? '';
  await comments.close();
  const own = await run(ann, `deskhand approve ${plan} --confirm ${id} --key ${annsKey()}`);
  expect(own).toMatchObject({ code: 5 });
  git(ben, ['fetch', '--quiet']);
  git(ben, ['checkout', '--quiet', branch]);
  const signed = await run(ben, `deskhand approve ${plan} --confirm ${id} --key ${bensKey()}`);
  expect(signed).toMatchObject({ code: 0 });
  push({ ...repo, clone: ben }, branch, 'Approve it');
  git(ann, ['pull', '--quiet', 'origin', branch]);
  git(ann, ['checkout', '--quiet', 'main']);
  git(ann, ['merge', '--quiet', '--no-ff', '--message', 'Merge it', branch]);
  git(ann, ['push', '--quiet', 'origin', 'main']);
  return { comment, merge: git(ann, ['rev-parse', 'HEAD']), signed: signed.text };
}

test('five desks are reviewed as one plan, and a change of one touches only that desk', async () => {
  const all = await team({ 'desks.yaml': scenario }, accounts);
  const { ann, repo, run, world, exchange } = all;
  const env = exchange.env('hedge');
  const onExchange = (...words: string[]): Promise<Ended> => deskhand(words, { cwd: world, env });
  expect(await onExchange('sandbox', 'load', 'desks.yaml')).toMatchObject({ code: 0 });
  const untouched = await booksOf(all);

  // From the example to a pipeline with the keys of every desk.
  git(ann, ['checkout', '--quiet', '-b', 'five-desks']);
  const begun = await run(
    ann,
    `deskhand init . --example five-desks && deskhand init . --github --force
deskhand validate && deskhand test`,
  );
  expect(begun).toMatchObject({ code: 0 });
  const pipeline = readFileSync(join(ann, '.github/workflows/playbooks.yaml'), 'utf8');
  expect(desks.every((desk) => pipeline.includes(`${desk.toUpperCase()}_API_KEY`))).toBe(true);

  // All five at once: one comment, one signature, one run.
  const first = await reviewed(all, 'five-desks');
  expect(first.comment).toContain('**5 to create, 5 to set, 0 unchanged**');
  expect(first.comment).toMatch(/^\| `echo` \| 1 \| 1 \| 0 \| 1 \| 190\.00 \| 1 of 400 \|$/m);
  expect(first.signed).toMatch(/^ {2}~ echo +USDT-FUTURES leverage 20× → 10× {2}on echo /m);
  expect(await booksOf(all)).toEqual(untouched);
  const ran = await run(checkout(repo, first.merge, []), `deskhand run ${plan} --report reports`);
  expect(ran).toMatchObject({
    code: 0,
    text: expect.stringContaining('1 of 1 order live on echo'),
  });
  const placed = [
    'alpha 3× buy 0.010 @ 40000.0',
    'bravo 3× buy 0.010 @ 39500.0',
    'charlie 5× buy 0.020 @ 39000.0',
    'delta 5× buy 0.020 @ 38500.0',
    'echo 10× buy 0.005 @ 38000.0',
  ];
  expect(await booksOf(all)).toEqual(placed);

  // On another machine there is nothing left to do.
  const other = checkout(repo, first.merge, []);
  const used = await run(other, `deskhand run ${plan}`);
  expect(used).toMatchObject({ code: 5, text: expect.stringContaining('already ran as') });
  const idle = await run(other, `deskhand plan ${file}`);
  expect(idle).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^Plan p-\w+ +10 unchanged/m),
  });
  const unmoved = await run(other, `deskhand drift ${file}`);
  expect(unmoved).toMatchObject({ code: 0, text: expect.stringContaining('0 differences') });

  // One line of the list changes, and so does one desk.
  git(ann, ['checkout', '--quiet', '-b', 'bravo']);
  const [was, is] = ['bravo, leverage: 3, price: 39500.0', 'bravo, leverage: 4, price: 39400.0'];
  put(ann, { [file]: readFileSync(join(ann, file), 'utf8').replace(was, is) });
  const second = await reviewed(all, 'bravo');
  expect(second.comment).toContain('**1 to create, 1 to set, 8 unchanged**');
  expect(second.comment).toContain('4 unchanged on alpha, charlie, delta and echo');
  // Ben sees it, though his clone has none of the runs.
  expect(second.signed).toMatch(/^ {2}~ bravo +USDT-FUTURES leverage 3× → 4× .*read just now/m);
  expect(second.signed).toContain('1 order of earlier runs is no longer in the playbook');
  expect(await run(checkout(repo, second.merge, []), `deskhand run ${plan}`)).toMatchObject({
    code: 0,
  });
  const changed = 'bravo 4× buy 0.010 @ 39400.0, buy 0.010 @ 39500.0';
  expect(await booksOf(all)).toEqual(placed.with(1, changed));

  // The old order of bravo is left over until someone cancels it, and then it is no drift.
  const watching = checkout(repo, second.merge, []);
  const over = await run(watching, `deskhand drift ${file}`);
  expect(over).toMatchObject({
    code: 10,
    text: expect.stringMatching(/^ {2}orphaned +orders\[bravo\]/m),
  });
  await cancelOn(all, 'bravo', '39500.0');
  expect(await run(watching, `deskhand drift ${file}`)).toMatchObject({ code: 0 });

  // Someone cancels an order that the playbook has: drift names its desk.
  await cancelOn(all, 'delta', '38500.0');
  const drifted = await run(watching, `deskhand drift ${file} -o json`);
  expect(drifted.code).toBe(10);
  const [{ lines }] = JSON.parse(drifted.text).playbooks;
  const differences = lines.filter(({ kind }: { kind: string }) => kind === 'differs');
  expect(differences).toMatchObject([
    { address: 'orders[delta]', shown: 'cancelled (normal_cancel)' },
  ]);
});

/** Someone cancels an order of a desk on the exchange. */
async function cancelOn({ exchange: { controlUrl } }: Team, desk: string, price: string) {
  const uid = uidOf(desk);
  const { data } = Object(await (await fetch(`${controlUrl}/orders?uid=${uid}`)).json());
  const { orderId } = data.open.find((order: Resting) => order.price === price);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ uid, orderId });
  const answer = await fetch(`${controlUrl}/orders/cancel`, { method: 'POST', headers, body });
  expect(await answer.json()).toMatchObject({ code: '00000' });
}
