/** Deleting the state does not reset it: a new clone does not repeat what a plan did. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, gitEnv, hub } from '../stores/machines.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { limitOrder } from '../support/order.ts';
import { startSandbox } from './sandbox.ts';

const ref = 'refs/heads/deskhand-state';

const playbook = `playbook: 1
name: desks
account: main
steps:
  - id: desk
    uses: account/create-sub
    once-per: playbook
    with: { username: desk }
  - id: bid
    needs: [desk]
    uses: futures/place-order
    with:${limitOrder({ price: '40000', force: 'post_only' })}
`;

test('a used plan with a sub-account is refused on a fresh clone, whichever refs were deleted', async () => {
  const exchange = await startSandbox();
  const bare = hub();
  const env = { ...exchange.env('hedge'), ...gitEnv };
  const config = (root = ''): string => `profile: main
profiles: { main: { target: sandbox, base-url: "${exchange.baseUrl}" } }
state: { store: git, lease: 2m${root} }
`;
  const clone = (root?: string): string => {
    const cwd = join(folderWith(), 'clone');
    git(bare, ['clone', '--quiet', bare, cwd]);
    writeFileSync(join(cwd, 'deskhand.yaml'), config(root));
    writeFileSync(join(cwd, 'desks.yaml'), playbook);
    return cwd;
  };
  const at = (cwd: string, ...words: string[]): Promise<Ended> => deskhand(words, { cwd, env });
  const requests = async (): Promise<string> => {
    const answer = await fetch(`${exchange.controlUrl}/requests`);
    const sent: unknown = await answer.json();
    return JSON.stringify(sent)
      .replaceAll(/[^]*?(create-sub|place-order)|[^]+$/g, '$1 ')
      .trim();
  };

  const first = clone();
  const plan = join(folderWith(), 'plan.json');
  expect((await at(first, 'plan', 'desks.yaml', '--out', plan)).code).toBe(0);
  expect((await at(first, 'run', plan)).code).toBe(0);
  const doctor = await at(first, 'doctor');
  const root = /root: "([0-9a-f]{16})" under state:/.exec(doctor.stdout)?.[1] ?? '';
  expect(root).not.toBe('');
  const sent = await requests();
  expect(sent).toContain('create-sub');

  git(bare, ['update-ref', '-d', ref]);
  const fresh = clone();
  for (const words of [
    ['run', plan],
    ['run', 'desks.yaml'],
    ['plan', 'desks.yaml'],
  ]) {
    const { code, stderr } = await at(fresh, ...words);
    expect([words, code]).toEqual([words, 5]);
    expect(stderr).toContain('it is missing, and');
  }
  git(bare, ['update-ref', '-d', `${ref}-witness`]);
  const known = await at(clone(`, root: "${root}"`), 'run', plan);
  expect(known).toMatchObject({ code: 5, stderr: expect.stringContaining('state.root says') });
  const here = await at(first, 'run', plan);
  expect(here.code).toBe(5);
  rmSync(join(first, '.deskhand'), { recursive: true, force: true });
  expect(await requests()).toBe(sent);
  const mended = await at(clone(`, root: "${root}"`), 'doctor', '-o', 'json');
  expect(mended.stdout).toContain('state.root says');
});
