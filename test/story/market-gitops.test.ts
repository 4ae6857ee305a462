/** The way of docs/gitops.md with orders priced from the market, two people, and a hostile third. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { deskhand, folderWith, type Ended } from '../cli/deskhand.ts';
import { startSandbox } from '../cli/sandbox.ts';
import { git, gitEnv, hub } from '../stores/machines.ts';

const ladder = readFileSync(
  join(import.meta.dirname, '..', '..', 'workflows', 'order-ladder.yaml'),
  'utf8',
);
const [ann, ben, mallory] = ['ann', 'ben', 'mallory'].map((name) => keyOf(`market-${name}`));
const branch = 'refs/heads/deskhand-state';

interface Planned {
  readonly steps: readonly {
    readonly id: string;
    readonly actions: readonly { readonly input: Readonly<Record<string, string>> }[];
  }[];
}

test('the approved plan is what runs, whatever an attacker pushes where Git allows it', async () => {
  const exchange = await startSandbox();
  const keys = { ...exchange.env('hedge'), ...gitEnv };
  const bare = hub();
  const clone = (): string => {
    const folder = join(folderWith(), 'clone');
    git(bare, ['clone', '--quiet', bare, folder]);
    return folder;
  };
  const at = (cwd: string, ...words: string[]): Promise<Ended> =>
    deskhand(words, { cwd, env: keys });
  const commit = (cwd: string, who: string, message: string): void => {
    git(cwd, ['add', '.']);
    git(cwd, ['-c', `user.email=${who}@desk.example`, 'commit', '--quiet', '-m', message]);
  };
  const orders = async (): Promise<readonly { clientOid: string; price: string }[]> => {
    const words = ['category=USDT-FUTURES', 'symbol=ETHUSDT', '-o', 'json'];
    const { stdout } = await at(clone(), 'call', 'order/list-open', ...words);
    const list: { clientOid: string; price: string }[] = JSON.parse(stdout).answer.list;
    return list.filter(({ clientOid }) => clientOid.startsWith('dh'));
  };

  const hers = clone();
  writeFileSync(join(hers, 'ladder.yaml'), ladder);
  writeFileSync(join(hers, '.gitignore'), '.deskhand/\n.config/\n');
  writeFileSync(
    join(hers, 'deskhand.yaml'),
    `profiles:
  main:
    base-url: ${exchange.baseUrl}
    account-id: "7000000002"
    approve: { by: other, signers: ./allowed_signers, records: approvals }
state: { store: git }
`,
  );
  writeFileSync(
    join(hers, 'allowed_signers'),
    `ann@desk.example ${publicOf(ann ?? '')}\nben@desk.example ${publicOf(ben ?? '')}\n`,
  );
  commit(hers, 'ann', 'A ladder below the market');
  expect((await at(hers, 'plan', 'ladder.yaml', '--out', 'plans/ladder.json')).code).toBe(0);
  commit(hers, 'ann', 'Its plan');
  git(hers, ['push', '--quiet', 'origin', 'HEAD:main']);
  const plan: Planned = JSON.parse(readFileSync(join(hers, 'plans/ladder.json'), 'utf8'));
  const planned = plan.steps.find(({ id }) => id === 'ladder')?.actions ?? [];

  // No one but Ben may say so: not its author, not a stranger, not one who forged the plan.
  expect((await at(hers, 'approve', 'plans/ladder.json', '--key', ann ?? '')).code).toBe(5);
  const third = clone();
  expect((await at(third, 'approve', 'plans/ladder.json', '--key', mallory ?? '')).code).toBe(5);
  const forged = readFileSync(join(third, 'plans/ladder.json'), 'utf8');
  writeFileSync(join(third, 'plans/ladder.json'), forged.replaceAll('"0.10"', '"9.10"'));
  expect((await at(third, 'run', 'plans/ladder.json')).code).toBe(5);

  const his = clone();
  const approved = await at(his, 'approve', 'plans/ladder.json', '--key', ben ?? '');
  expect([approved.code, approved.stderr]).toEqual([
    0,
    expect.stringContaining('ETHUSDT open long'),
  ]);
  commit(his, 'ben', 'Approve it');
  git(his, ['push', '--quiet', 'origin', 'HEAD:main']);
  expect(await orders()).toEqual([]);

  const run = await at(clone(), 'run', 'plans/ladder.json');
  expect([run.code, run.stderr]).toEqual([0, expect.any(String)]);
  const sent = planned.map(({ input }) => input['price'] ?? '').toSorted();
  expect((await orders()).map(({ price }) => price).toSorted()).toEqual(sent);

  // The plan is used up on every clone, and no ref anyone pushes makes it new.
  const newRefs = [
    'refs/deskhand/state',
    'refs/heads/deskhand-state-2',
    'refs/tags/deskhand-state',
  ];
  git(third, ['push', '--quiet', 'origin', ...newRefs.map((name) => `HEAD:${name}`)]);
  const again = await at(clone(), 'run', 'plans/ladder.json');
  expect([again.code, (await orders()).length]).toEqual([5, planned.length]);
  git(third, ['push', '--quiet', 'origin', `:${branch}`]); // as if it were not protected
  const cut = await at(clone(), 'run', 'plans/ladder.json');
  expect([cut.code, cut.stderr]).toEqual([5, expect.stringContaining('it is missing, and')]);
  git(third, ['push', '--quiet', '--force', 'origin', `HEAD:${branch}`]);
  expect((await at(clone(), 'run', 'plans/ladder.json')).code).toBe(5);
  expect(await orders()).toHaveLength(planned.length);
});
