/** Workers, the service and the server are killed in the middle of a run: each order is placed once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hurried, loseSecondAnswer } from '../cli/under-way.ts';
import { expectOrders, folder, isLost, planned, type, worker } from '../postgres/desk.ts';
import { brief, endOf, restateDesk, type RestateDesk } from './desk.ts';

interface Begun {
  readonly all: RestateDesk;
  readonly first: Awaited<ReturnType<typeof worker>>;
  readonly run: string;
}

/** A run whose second order was executed without a response. */
async function begun(env: (all: RestateDesk) => Readonly<Record<string, string>>): Promise<Begun> {
  const all = await restateDesk({ lease: brief });
  const cwd = folder(all);
  const { file, run } = await planned(all, cwd);
  await loseSecondAnswer(all.exchange);
  const first = await worker(all, env(all));
  expect((await type(all, cwd, ['run', file, '--queue'])).code).toBe(0);
  while (!(await isLost(all))) expect(first.child.exitCode).toBe(null);
  return { all, first, run };
}

async function expectDone({ all, run }: Begun): Promise<void> {
  expect(await endOf(all, run)).toMatchObject({ exit: 0 });
  await expectOrders(all, 3);
}

test.each(['SIGKILL', 'SIGTERM', 'SIGSTOP'] as const)(
  'another worker continues a run whose worker got %s',
  async (signal) => {
    const run = await begun(() => ({}));
    run.first.child.kill(signal);
    await worker(run.all, hurried(run.all.exchange));
    await expectDone(run);
    run.first.child.kill('SIGCONT');
  },
);

test('a server that is killed and started again on its folder has what it confirmed', async () => {
  const run = await begun(({ exchange }) => hurried(exchange));
  const [server] = run.all.servers;
  await server.kill();
  await sleep(4_000); // longer than the lease
  await server.begin();
  await expectDone(run);
});

test('calls of a service that is killed are executed by the next one', async () => {
  const run = await begun(({ exchange }) => hurried(exchange));
  await run.all.service.kill();
  await sleep(4_000); // longer than the lease
  await run.all.service.begin();
  await expectDone(run);
});
