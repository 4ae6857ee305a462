/** The account family of a profile is known before anything is sent: operations of the other are refused. */
import { expect, test } from 'vitest';
import { accountWorld, rungs, said, type AccountWorld } from './account.ts';

const onSandbox = ({ port }: AccountWorld, more: string): string =>
  `    base-url: "http://127.0.0.1:${port}"\n${more}`;

test('an operation of the other family is refused with the one to use instead', async () => {
  const world = await accountWorld({ 'ladder.yaml': rungs });
  world.profile(onSandbox(world, '    family: unified\n'));
  for (const verb of ['validate', 'plan', 'run']) {
    const refused = await world.at('first', verb, 'ladder.yaml');
    expect(said(refused)).toEqual([3, expect.stringContaining('PB424')]);
    expect(said(refused)[1]).toContain(
      'futures/place-order serves classic accounts, and this one is unified',
    );
    expect(said(refused)[1]).toContain('use trade/place-order');
  }
  expect(await world.orders()).toEqual([]);
  const explained = await world.at('first', 'explain', 'PB424');
  expect(explained.stdout).toContain('uses: trade/place-order');
});

test('an account that only the plan knows is checked there', async () => {
  const chosen = rungs
    .replace('steps:', 'inputs: { where: { type: string, default: main } }\nsteps:')
    .replace('    uses: futures', '    account: "{{ inputs.where }}"\n    uses: futures');
  expect(chosen).toContain('inputs.where');
  const world = await accountWorld({ 'ladder.yaml': chosen });
  const address = `base-url: "http://127.0.0.1:${world.port}"`;
  world.profile(
    onSandbox(world, ''),
    `  uta: { ${address}, secrets: { env: MAIN }, family: unified }`,
  );
  const refused = await world.at('first', 'plan', 'ladder.yaml', '--var', 'where=uta');
  expect(said(refused)).toEqual([3, expect.stringContaining('PB424')]);
});

test('a single call is refused before it is sent', async () => {
  const world = await accountWorld({ 'ladder.yaml': rungs });
  world.profile(onSandbox(world, '    family: classic\n'));
  const call = await world.at(
    'first',
    'call',
    'trade/list-positions',
    'category=USDT-FUTURES',
    '--profile',
    'main',
  );
  expect(said(call)).toEqual([3, expect.stringContaining('use futures/list-positions')]);
  const own = await world.at(
    'first',
    'call',
    'futures/list-positions',
    'productType=USDT-FUTURES',
    '--profile',
    'main',
  );
  expect(own.code).toBe(0);
});
