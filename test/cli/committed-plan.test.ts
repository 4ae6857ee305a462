/** The comment of a pull request relates the plan that people sign to the one it makes. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { git, gitEnv } from '../stores/machines.ts';
import { limitOrder } from '../support/order.ts';
import { keptFolder, type Ended } from './deskhand.ts';
import { inside } from './inside.ts';

const [ann, ben] = [keyOf('committed-ann'), keyOf('committed-ben')];
const playbook = `playbook: 1
name: buy
account: main
inputs: { price: { type: decimal } }
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '{{ inputs.price }}' })}
`;
const config = `profile: main
profiles:
  main:
    approve: { by: other, signers: ./allowed_signers, records: approvals }
`;

let cwd = '';
const at = async (...words: string[]): Promise<Ended> =>
  inside(words, { cwd, env: { ...gitEnv, GIT_CONFIG_GLOBAL: '/dev/null' } });
const commit = (): void => {
  git(cwd, ['add', '.']);
  git(cwd, ['-c', 'user.email=ann@desk.example', 'commit', '--quiet', '-m', 'Work']);
};
const comment = async (): Promise<string> => {
  const { stdout } = await at('plan', '--changed-since', 'main', '-o', 'markdown');
  return stdout;
};

/** The id of the plan that `plan` prints as JSON. */
const planTo = async (file: string, price: string): Promise<string> => {
  const words = ['plan', 'buy.yaml', '--var', `price=${price}`, '--out', file, '-o', 'json'];
  return JSON.parse((await at(...words)).stdout).id;
};

beforeAll(() => {
  cwd = keptFolder({
    'deskhand.yaml': config,
    allowed_signers: `ann@desk.example ${publicOf(ann)}\nben@desk.example ${publicOf(ben)}\n`,
    '.gitignore': '.deskhand/\n.config/\n',
  });
  git(cwd, ['init', '--quiet', '--initial-branch=main']);
  commit();
  git(cwd, ['switch', '--quiet', '-c', 'branch']);
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test('it names the committed plan, who signed it, what differs, and whether it would run', async () => {
  writeFileSync(join(cwd, 'buy.yaml'), playbook);
  commit();
  const id = await planTo('plans/buy.json', '40000.0');
  expect(await comment()).not.toContain(id); // as long as it is not committed
  commit();
  const open = await comment();
  expect(open).toContain(`To be signed and run: plan \`${id}\`** in \`plans/buy.json\``);
  expect(open).toContain('not signed yet (0 of 1 for main); it would still run, until');
  expect(open).toMatch(/Compared with p-[0-9a-f]{8}, which was made now .*: nothing differs/);

  expect((await at('approve', 'plans/buy.json', '--key', ben)).code).toBe(0);
  commit();
  expect(await comment()).toMatch(/: signed by ben@.+desk\.example \(1 of 1 for main\)/);

  const { stdout } = await at('plan', '--changed-since', 'main', '-o', 'json');
  const [{ plan, committed }] = JSON.parse(stdout).plans;
  expect(committed).toMatchObject([{ file: 'plans/buy.json', plan: id, runs: true, changes: [] }]);
  expect([plan.id === id, plan.inputs]).toEqual([false, { price: '40000.0' }]);
});

test('after the playbook changed it says that the signed plan would be refused, and why', async () => {
  writeFileSync(join(cwd, 'buy.yaml'), playbook.replace('0.001', '0.002'));
  commit();
  const { stdout } = await at('plan', '--changed-since', 'main', '-o', 'json');
  const [{ committed }] = JSON.parse(stdout).plans;
  expect(committed).toMatchObject([{ runs: false, because: expect.stringContaining('buy.yaml') }]);
  const lines: readonly { readonly text: string }[] = committed[0].changes;
  expect(lines.map(({ text }) => text)).toEqual([
    'the text of the playbook',
    expect.stringContaining('0.002'),
  ]);
  const said = await comment();
  expect(said).toContain('its run would be refused now');
  expect(said).toContain('2 lines differ');
});

test('offline it relates the two plans, and does not say that the signed one would run', async () => {
  const words = ['plan', '--changed-since', 'main', '--offline', '-o', 'json'];
  const [{ committed }] = JSON.parse((await at(...words)).stdout).plans;
  expect(committed[0]).toMatchObject({ file: 'plans/buy.json' });
  expect(committed[0].runs).not.toBe(true);
});
