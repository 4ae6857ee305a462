/** The page of a run whose rest a later run sent: it offers what `runs show` advises, and nothing that is refused. */
import { expect, test } from 'vitest';
import type { Offered } from '../../src/serve/server/actions/offered.ts';
import type { RunView } from '../../src/serve/server/run-view.ts';
import { served } from '../serve/server/desk.ts';
import { limitOrder } from '../support/order.ts';
import { deskhand, folderWith } from './deskhand.ts';

const desk = `playbook: 1
name: desk
inputs: { size: { type: decimal, default: "400" } }
steps:
  - id: large
    uses: futures/place-order
    with:${limitOrder({ price: '50000', size: '{{ inputs.size }}' })}
  - id: small
    uses: futures/place-order
    with:${limitOrder({ price: '50100' })}
`;

async function runOf(cwd: string, words: readonly string[], exit: number): Promise<string> {
  const { code, stdout } = await deskhand(['run', 'desk.yaml', ...words, '-o', 'json'], { cwd });
  expect(code).toBe(exit);
  return (JSON.parse(stdout) as { run: string }).run;
}

async function seenOf(cwd: string, run: string): Promise<readonly [RunView['next'], Offered]> {
  const server = await served({ folder: cwd, command: ['/no/such/program'] });
  await server.poll();
  const view = (await (await server.get(`/runs/${run}`)).json()) as RunView;
  return [view.next, (await (await server.get(`/runs/${run}/actions`)).json()) as Offered];
}

test('a run whose rest a later run sent is not resumed from its page', async () => {
  const cwd = folderWith({ 'desk.yaml': desk });
  const run = await runOf(cwd, [], 1);
  const [before, offered] = await seenOf(cwd, run);
  expect(before[0]?.command).toBe(`deskhand resume ${run}`);
  expect(offered.resume?.command).toBe(`deskhand resume ${run}`);

  const later = await runOf(cwd, ['--var', 'size=0.01'], 0);
  expect((await deskhand(['resume', run], { cwd })).code).toBe(5);
  const [next, actions] = await seenOf(cwd, run);
  const { stdout } = await deskhand(['runs', 'show', run], { cwd });
  for (const { command } of next) expect(stdout).toContain(command);
  expect(next[0]).toEqual({
    command: `deskhand runs set-aside ${run} --reason WHY`,
    why: `leaves it as finished by hand: run ${later} did the rest`,
  });
  expect(actions.resume).toBeUndefined();
});

test('a run that was set aside is not set aside again, also beside a later run', async () => {
  const cwd = folderWith({ 'desk.yaml': desk });
  const run = await runOf(cwd, [], 1);
  await deskhand(['runs', 'set-aside', run, '--reason', 'by hand'], { cwd });
  await runOf(cwd, ['--var', 'size=0.01'], 0);
  const { stdout } = await deskhand(['runs', 'show', run], { cwd });
  expect(stdout).toContain('set aside by');
  expect(stdout).not.toContain('deskhand runs set-aside');
});
