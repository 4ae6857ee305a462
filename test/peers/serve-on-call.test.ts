/** The person on call: from a notification on a telephone to the end of the run, with each order in the books once. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { webhook } from '../app/notification/recipients.ts';
import { deskhand, folderWith } from '../cli/deskhand.ts';
import { browser } from './open-browser.ts';
import { commandsIn } from './real-runs.ts';
import { faultsIn, serving, sideways } from './serving.ts';

const order = `{ symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy,
      tradeSide: open, orderType: limit, price: "{{ each.value }}", size: "0.001" }`;
const profiles = 'profiles: { sandbox: { notify: { webhook: { url: { env: HOOK } } } } }\n';
const team =
  'serve: { hosts: ["desk.example.com"], auth: { issuer: "https://id.example.com", client-id: a, roles: { approver: [a] } } }\n';
/** The list of open orders is answered for the plan, and then not for long. */
const unanswered = Array.from(
  { length: 40 },
  (_, i) =>
    `  - { match: { operation: order/list-open, nth: ${i + 3} }, when: before, action: { kind: status, status: 503, code: "50000" } }`,
).join('\n');
const files = {
  'deskhand.yaml': profiles + team,
  'playbooks/bids.yaml': `playbook: 1
name: bids
steps:
  - id: bids
    for-each: [40000, 40100, 40200]
    uses: futures/place-order
    with: ${order}
`,
  'lost.yaml': `version: 1
faults:
  - { match: { operation: futures/place-order, nth: 2 }, when: after-commit, action: { kind: reset } }
${unanswered}
`,
  'calm.yaml': 'version: 1\nfaults: []\n',
};

test('the link of a notification leads to the doubt, which is looked up, and the run to its end', async () => {
  const hook = await webhook([]);
  const cwd = folderWith(files);
  const at = commandsIn(cwd);
  await at(0, 'sandbox', 'load', 'lost.yaml');
  const env = { HOOK: `http://127.0.0.1:${hook.port}/hook` };
  const { code, stderr } = await deskhand(['run', 'playbooks/bids.yaml'], { cwd, env });
  expect([code, code === 6 ? '' : stderr]).toEqual([6, '']);
  expect(hook.posted).toHaveLength(1);
  const { event, link } = JSON.parse(hook.posted[0]?.body ?? '') as Record<string, string>;
  expect(event).toBe('in-doubt');
  hook.close();
  await at(0, 'sandbox', 'load', 'calm.yaml'); // the exchange answers again
  rmSync(join(cwd, 'deskhand.yaml')); // a server without the sign-in of a team

  const desk = await serving(cwd);
  const context = await browser.newContext({
    bypassCSP: true, // for axe
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  await page.goto(desk.link);
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await page.goto(`${desk.url}${new URL(link ?? '').pathname}`);
  const first = page.locator('.thumb').getByRole('button').first();
  expect(await first.innerText()).toBe('Look the order up');
  expect([await faultsIn(page), await sideways(page)]).toEqual([[], 0]);
  await first.click();
  await page.getByRole('button', { name: 'Look the order up and record what is proved' }).click();
  await page.getByText('nothing is in doubt; continue').waitFor();
  expect([await faultsIn(page), await sideways(page)]).toEqual([[], 0]);
  await page.locator('.thumb').getByRole('button', { name: 'Resume' }).click();
  await page.getByText('1 order: bids[40200]').first().waitFor(); // what it will send
  await page.getByRole('button', { name: 'Resume the run' }).click();
  await page.locator('.pill', { hasText: /^done/i }).first().waitFor({ timeout: 60_000 });
  expect([await faultsIn(page), await sideways(page)]).toEqual([[], 0]);
  await context.close();
  await desk.end();
  const { answer } = JSON.parse(
    await at(0, 'call', 'order/list-open', 'category=USDT-FUTURES', 'symbol=BTCUSDT', '-o', 'json'),
  ) as { readonly answer: { readonly list: readonly { readonly price: string }[] } };
  expect(answer.list.map(({ price }) => Number(price)).toSorted((a, b) => a - b)).toEqual([
    40000, 40100, 40200,
  ]);
});
