/** A run of a worker waits for an approval: another machine answers over the database, and any worker continues. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand } from '../cli/deskhand.ts';
import { gatedPlaybook } from '../support/waiting-run.ts';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { beginWorker, brief, desk, expectOrders, folder, type, type Desk } from './desk.ts';

const ben = keyOf('postgres-ben');
const cara = keyOf('postgres-cara');

/** A checkout with a playbook that asks, and the people who may answer. */
function checkout(all: Desk): string {
  const cwd = folder(all);
  const rules = 'by: anyone, signers: ./allowed_signers, plans: false';
  const profile = `{ target: sandbox, base-url: "${all.exchange.baseUrl}", approve: { ${rules} } }`;
  writeFileSync(
    join(cwd, 'deskhand.yaml'),
    `profile: main\nprofiles: { main: ${profile} }\nstate: ${all.state}\n`,
  );
  writeFileSync(join(cwd, 'gated.yaml'), gatedPlaybook());
  writeFileSync(join(cwd, 'allowed_signers'), `ben@desk.example ${publicOf(ben)}\n`);
  return cwd;
}

async function queued(all: Desk, cwd: string): Promise<string> {
  expect((await type(all, cwd, ['plan', 'gated.yaml', '--out', 'plan.json'])).code).toBe(0);
  const { stdout } = await deskhand(['run', 'plan.json', '--queue'], { cwd, env: all.reviewer });
  return stdout.trim();
}

async function asks(all: Desk, cwd: string, run: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const words = ['runs', 'show', run, '-o', 'ndjson'];
        return (await deskhand(words, { cwd, env: all.reviewer })).stdout;
      },
      { timeout: 60_000, interval: 500 },
    )
    .toContain('"kind":"asked"');
}

test('a worker that dies while its run waits is followed by another, which takes the answer of a person without a key', async () => {
  const all = await desk(brief);
  const approver = checkout(all);
  const run = await queued(all, approver);
  const first = beginWorker(all, {}, checkout(all));
  await asks(all, approver, run);
  const stranger = await deskhand(['approve', run, '--key', cara], {
    cwd: approver,
    env: all.reviewer,
  });
  expect([stranger.code, stranger.stderr]).toEqual([5, expect.stringContaining('unknown key')]);
  first.child.kill('SIGKILL');
  await expectOrders(all, 0);

  const approved = await deskhand(['approve', run, 'consent', '--key', ben], {
    cwd: approver,
    env: all.reviewer,
  });
  expect([approved.code, approved.stderr]).toEqual([0, expect.any(String)]);
  beginWorker(all, {}, checkout(all));
  const words = ['runs', 'logs', '-f', run];
  const followed = await deskhand(words, { cwd: approver, env: all.reviewer });
  expect([followed.code, followed.stdout]).toEqual([
    0,
    expect.stringContaining('approved by ben@desk.example'),
  ]);
  await expectOrders(all, 1);
  const shown = await deskhand(['runs', 'show', run, '-o', 'ndjson'], {
    cwd: approver,
    env: all.reviewer,
  });
  expect(shown.stdout.match(/"kind":"asked"/g)).toHaveLength(1);
});
