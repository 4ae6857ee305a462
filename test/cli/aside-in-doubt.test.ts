/** A run that was set aside in doubt: the commands that are named look the doubt up, and then do the rest, each order once. */
import { expect, test } from 'vitest';
import { ofRow } from '../support/half-loop.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { startSandbox } from './sandbox.ts';
import { killed, loseSecondAnswer, underWay } from './under-way.ts';

const playbook = `playbook: 1
name: job
account: main
steps:
  - id: enter
    for-each:
      - { name: a, side: buy, kind: open, price: "40000.0", size: "0.001" }
      - { name: b, side: buy, kind: open, price: "41000.0", size: "0.001" }
      - { name: c, side: buy, kind: open, price: "42000.0", size: "0.001" }
    key: "{{ each.value.name }}"
    uses: futures/place-order
    with: ${ofRow}
`;

function flat({ stdout, stderr }: Ended): string {
  return `${stdout} ${stderr}`.replaceAll(/\s+/g, ' ');
}

test('a run that was set aside in doubt names the command that looks it up, and then the one that does the rest', async () => {
  const exchange = await startSandbox();
  const { DESKHAND_BASE_URL: url, ...keys } = exchange.env('hedge');
  const env = Object.fromEntries(
    Object.entries(keys).map(([name, value]) => [name.replace('DESKHAND', 'MAIN'), value]),
  );
  const config = `profiles:\n  main: { base-url: "${url}", secrets: { env: MAIN } }\n`;
  const cwd = folderWith({ 'deskhand.yaml': config, 'job.yaml': playbook });
  const type = (line: string): Promise<Ended> => deskhand(line.split(' '), { cwd, env });
  await loseSecondAnswer(exchange);
  const begun = await underWay(exchange, { cwd, env }, 'job.yaml');
  await killed(begun);
  const { run } = begun;
  const look = `resolve ${run} --from-exchange`;
  const aside = flat(await type(`runs set-aside ${run} --reason later`));
  expect(aside).toContain('1 write of it remains in doubt until it is looked up');
  expect(aside).toContain(`deskhand ${look}`);
  expect(flat(await type(`runs show ${run}`))).toContain(`deskhand ${look}`);
  const refused = await type(`plan job.yaml --from enter[c] --of ${run}`);
  expect([refused.code, flat(refused)]).toEqual([5, expect.stringContaining(`deskhand ${look}`)]);
  const rest = `run job.yaml -p main --from enter[c] --of ${run}`;
  const looked = await type(`${look} --yes`);
  expect([looked.code, flat(looked).replaceAll("'", '')]).toEqual([
    0,
    expect.stringContaining(`nothing is in doubt; continue: deskhand ${rest}`),
  ]);
  expect((await type(rest)).code).toBe(0);
  const { stdout } = await type('call order/list-open category=USDT-FUTURES -p main -o json');
  const prices = JSON.parse(stdout).answer.list.map(({ price }: { price: string }) => price);
  expect(prices.filter((price: string) => /^4[012]000/.test(price)).toSorted()).toEqual([
    '40000.0',
    '41000.0',
    '42000.0',
  ]);
});
