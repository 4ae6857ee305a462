/** A forged journal of a run sends nothing that was not approved. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/base/json.ts';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { git, gitEnv } from '../stores/machines.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { ladder, ownOrders } from './ladder.ts';
import { recordBeginning, type Started } from './record.ts';
import { startSandbox, type Started as Exchange } from './sandbox.ts';
import { killed, loseSecondAnswer, underWay } from './under-way.ts';

const ann = keyOf('forged-ann'); // writes the playbook
const ben = keyOf('forged-ben');

interface Setup {
  readonly exchange: Exchange;
  readonly env: Readonly<Record<string, string>>;
  /** Where the plan was made, approved and started. */
  readonly cwd: string;
  readonly run: string;
}

const at = ({ env }: Pick<Setup, 'env'>, cwd: string, ...words: string[]): Promise<Ended> =>
  deskhand(words, { cwd, env });

/** Ann's plan, approved by Ben, both committed; its run was killed after two of three orders. */
async function begun(): Promise<Setup> {
  const exchange = await startSandbox();
  const env = { ...exchange.env('hedge'), ...gitEnv };
  const cwd = folderWith({
    'ladder.yaml': ladder,
    'deskhand.yaml': `profile: main
profiles:
  main:
    base-url: ${exchange.baseUrl}
    approve: { by: other, signers: ./allowed_signers, records: approvals }
`,
    allowed_signers: `ann@desk.example ${publicOf(ann)}\nben@desk.example ${publicOf(ben)}\n`,
    '.gitignore': '.deskhand/\n.config/\n',
  });
  const commit = (): void => {
    git(cwd, ['add', '.']);
    git(cwd, ['-c', 'user.email=ann@desk.example', 'commit', '--quiet', '-m', 'Work']);
  };
  git(cwd, ['init', '--quiet']);
  commit();
  await at({ env }, cwd, 'plan', 'ladder.yaml', '--out', 'plans/ladder.json');
  commit();
  const approved = await at({ env }, cwd, 'approve', 'plans/ladder.json', '--key', ben);
  expect([approved.code, approved.stderr]).toEqual([0, expect.any(String)]);
  commit();
  await loseSecondAnswer(exchange);
  const begun = await underWay(exchange, { cwd, env }, 'plans/ladder.json');
  await killed(begun);
  const { run } = begun;
  return { exchange, env, cwd, run };
}

/** A clone that never had the run, with a journal of it as fetched from the state ref. */
async function cloneWith(
  { cwd, run }: Setup,
  change?: (started: Started) => Started,
): Promise<string> {
  const clone = join(folderWith(), 'clone');
  git(cwd, ['clone', '--quiet', cwd, clone]);
  const [from, to] = [join(cwd, '.deskhand'), join(clone, '.deskhand')];
  if (change === undefined) {
    cpSync(join(from, 'runs', run), join(to, 'runs', run), { recursive: true });
    return clone;
  }
  await recordBeginning(run, { from, to }, change);
  return clone;
}

async function orders({ cwd, env }: Setup): Promise<number> {
  return (await ownOrders(cwd, env)).length;
}

test('a run is continued only if its record agrees with its approved plan', async () => {
  const setUp = await begun();
  expect(await orders(setUp)).toBe(2);
  const text = ladder.replace('0.030', '0.300');
  const forgeries: readonly (readonly [string, (started: Started) => Started, RegExp])[] = [
    ['a plan nobody has', (started) => ({ ...started, plan: 'p-00000000' }), /is not here/],
    ['no plan', ({ plan: _plan, ...started }) => started, /started without a plan/],
    ['other inputs', (started) => ({ ...started, inputs: { rungs: '7' } }), /its inputs/],
    ['another time', (started) => ({ ...started, time: started.time + 1 }), /its time/],
    [
      'another playbook',
      (started) => ({ ...started, playbook: { ...started.playbook, text, digest: sha256(text) } }),
      /its playbook/,
    ],
  ];
  for (const [name, change, why] of forgeries) {
    const clone = await cloneWith(setUp, change);
    const { code, stderr } = await at(setUp, clone, 'resume', setUp.run);
    expect([name, code, stderr]).toEqual([name, 5, expect.stringMatching(why)]);
    expect([name, await orders(setUp)]).toEqual([name, 2]);
  }

  const unsigned = await cloneWith(setUp);
  rmSync(join(unsigned, 'approvals'), { recursive: true });
  const refused = await at(setUp, unsigned, 'resume', setUp.run);
  expect([refused.code, await orders(setUp)]).toEqual([6, 2]);
  expect(refused.stderr).toContain('in doubt: ');
  expect(refused.stderr).toContain('requires 1 approval');

  const planless = await cloneWith(setUp);
  git(planless, ['rm', '--quiet', 'plans/ladder.json']);
  git(planless, ['-c', 'user.email=ann@desk.example', 'commit', '--quiet', '-m', 'Tidy up']);
  expect((await at(setUp, planless, 'resume', setUp.run)).code).toBe(6);
  expect(await orders(setUp)).toBe(2);

  const honest = await cloneWith(setUp);
  const done = await at(setUp, honest, 'resume', setUp.run);
  expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
  expect(await orders(setUp)).toBe(3);
});
