/** Commands that docs/plans.md and docs/gitops.md name in their text: all run, in one session of two people. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { deskhand, keptFolder, type Ended } from '../cli/deskhand.ts';
import { ownOrders } from '../cli/ladder.ts';
import { git, gitEnv } from '../stores/machines.ts';
import { limitOrder } from '../support/order.ts';

const root = join(import.meta.dirname, '..', '..');

/** Commands between backticks; blocks are run by test/docs and gitops.test.ts. */
function namedIn(page: string): readonly string[] {
  const text = readFileSync(join(root, 'docs', page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const named = [...text.matchAll(/`(?:npx )?((?:deskhand|ssh-keygen|gh|git|run)\s[^`]*)`/g)];
  return named.map(([, words = '']) => words.replaceAll(/\s+/g, ' '));
}

const [ann, ben] = [keyOf('plans-ann'), keyOf('plans-ben')];
const playbook = `playbook: 1
name: buy
account: main
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}
  - id: gate
    uses: shell/run
    with: { command: [test, -e, out/go] }
`;
const config = `profile: main
profiles:
  main:
    approve: { by: other, signers: ./allowed_signers, records: approvals }
    allow: { shell: [test] }
`;

let cwd = '';
const done = new Set<string>();
/** Runs a command of the page, with values for its placeholders. */
const at = async (named: string, words = named, ...flags: string[]): Promise<Ended> => {
  done.add(named);
  const args = [...words.replace(/^deskhand /, '').split(' '), ...flags];
  return deskhand(args, { cwd, env: gitEnv });
};
const commit = (who: string): void => {
  git(cwd, ['add', '.']);
  git(cwd, ['-c', `user.email=${who}`, 'commit', '--quiet', '-m', 'Work']);
};

beforeAll(() => {
  cwd = keptFolder({
    'buy.yaml': playbook,
    'deskhand.yaml': config,
    allowed_signers: `ann@desk.example ${publicOf(ann)}\nben@desk.example ${publicOf(ben)}\n`,
    '.mailmap': 'Ann <ann@desk.example> <ann@home.example>\n',
    '.gitignore': '.deskhand/\n.config/\nout/\n',
  });
  git(cwd, ['init', '--quiet', '--initial-branch=main']);
  commit('ann@home.example'); // the address .mailmap knows as hers
  git(cwd, ['update-ref', 'refs/remotes/origin/main', 'HEAD~0']);
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test('a plan is approved by another person, under any address of its author', async () => {
  expect((await at('run plan.json', 'plan buy.yaml --out plan.json')).code).toBe(0);
  const own = await at('deskhand approve', 'deskhand approve plan.json', '--key', ann);
  expect([own.code, own.stderr]).toEqual([5, expect.stringContaining('ann@desk.example wrote it')]);
  const no = await at('deskhand decline plan.json', undefined, '--key', ben);
  expect([no.code, no.stderr]).toEqual([0, expect.any(String)]);
  expect((await at('run plan.json')).code).toBe(5);
  rmSync(join(cwd, 'approvals'), { recursive: true });
  expect((await at('deskhand approve plan.json', undefined, '--key', ben)).code).toBe(0);
});

test('anyone can verify the record without deskhand', () => {
  const [name = ''] = readdirSync(join(cwd, 'approvals'), { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.endsWith('/'))
    .toSorted()
    .toReversed();
  const record = readFileSync(join(cwd, 'approvals', name), 'utf8');
  const cut = record.indexOf('-----BEGIN');
  mkdirSync(join(cwd, 'out'));
  writeFileSync(join(cwd, 'out/SIGNATURE'), record.slice(cut));
  const command =
    'ssh-keygen -Y verify -f allowed_signers -I ben@desk.example -n approval@deskhand -s SIGNATURE < JSON';
  done.add(command).add('ssh-keygen -Y verify');
  const words = command.replace('SIGNATURE < JSON', 'out/SIGNATURE').split(' ').slice(1);
  const said = execFileSync('ssh-keygen', words, { cwd, input: record.slice(0, cut) });
  expect(said.toString()).toContain('Good');
});

test('a stopped run is resumed, also if only the plan file is left', async () => {
  const first = await at('run plan.json', undefined, '-o', 'json');
  const { run } = JSON.parse(first.stdout);
  expect([first.code, (await ownOrders(cwd)).length]).toEqual([1, 1]);
  expect((await at('deskhand resume RUN', `resume ${run}`)).code).toBe(1);
  writeFileSync(join(cwd, 'out/go'), '');
  rmSync(join(cwd, '.deskhand/plans'), { recursive: true });
  expect((await at('deskhand resume RUN', `resume ${run}`)).code).toBe(5);
  const named = 'deskhand resume RUN --plan plan.json';
  expect((await at(named, named.replace('RUN', run))).code).toBe(0);
  expect(await ownOrders(cwd)).toHaveLength(1);
  const plan = readFileSync(join(cwd, 'plan.json'), 'utf8');
  done.add('run -');
  const used = await deskhand(['run', '-'], { cwd, env: gitEnv, input: plan });
  expect([used.code, used.stderr]).toEqual([5, expect.stringContaining('already ran as')]);
});

test('a run that is set aside is over, and its orders stay', async () => {
  rmSync(join(cwd, 'out/go'));
  writeFileSync(join(cwd, 'buy.yaml'), playbook.replace('40000', '39500'));
  commit('ann@desk.example');
  expect((await at('run plan.json', 'plan buy.yaml --out plan.json')).code).toBe(0);
  expect((await at('deskhand approve plan.json', undefined, '--key', ben)).code).toBe(0);
  const stopped = await at('run plan.json', undefined, '-o', 'json');
  const { run } = JSON.parse(stopped.stdout);
  expect([stopped.code, (await ownOrders(cwd)).length]).toEqual([1, 2]);
  const named = 'deskhand runs set-aside RUN --reason WHY';
  expect((await at(named, named.replace('RUN', run).replace('WHY', 'closed'))).code).toBe(0);
  expect((await at('deskhand resume RUN', `resume ${run}`)).code).toBe(5);
  const settle = 'deskhand resolve RUN --from-exchange'; // with a doubt: test/cli/aside-in-doubt
  const none = await at(settle, settle.replace('RUN', run));
  expect([none.code, none.stdout + none.stderr]).toEqual([0, expect.stringContaining('nothing')]);
  expect(await ownOrders(cwd)).toHaveLength(2);
});

test('plans of a branch are one comment', async () => {
  writeFileSync(join(cwd, 'buy.yaml'), playbook.replace('40000', '39000'));
  commit('ann@desk.example');
  const all = await at('deskhand plan --changed-since origin/main -o markdown');
  expect([all.code, all.stdout]).toEqual([0, expect.stringContaining('Plans of 1 playbook')]);
});

test('no command of the pages was skipped', () => {
  // Not of deskhand: a key for a host, and a question to it. The rest: test/cli/passkey, test/peers/serve-approve, and five-desks here; steps that wait: test/cli/approve-step.
  const elsewhere =
    /^gh api |^ssh-keygen -t ed25519 |^deskhand (?:serve|approve (?:--enroll|PLAN --(?:unsigned|record FILE))|init \. --(?:example five-desks|github --force)|drift|decline RUN STEP)$/;
  const named = [...namedIn('plans.md'), ...namedIn('gitops.md')];
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((words) => !elsewhere.test(words) && !done.has(words))).toEqual([]);
});
