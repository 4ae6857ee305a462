import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { exits } from '../../src/base/error.ts';
import { askToSend } from '../../src/cli/approval/ask.ts';
import { StoppedError } from '../../src/app/machine/interrupt.ts';
import { contextAt } from './at.ts';
import { begin, deskhand, folderWith } from './deskhand.ts';
import { files, ladder, resting } from './ladder.ts';
import { limitOrder } from '../support/order.ts';
import { startSandbox } from './sandbox.ts';

describe('a command that is interrupted before its run', () => {
  test.each([
    ['plan', 'ladder.yaml'],
    ['run', 'ladder.yaml'],
    ['drift', 'ladder.yaml'],
  ])('%s says that nothing was sent', async (...words) => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const config = `profiles: { main: { base-url: "http://127.0.0.1:${port}" } }\n`;
    const cwd = folderWith({ ...files, 'deskhand.yaml': config });
    const names = ['DESKHAND_API_KEY', 'DESKHAND_API_SECRET', 'DESKHAND_API_PASSPHRASE'];
    const env = Object.fromEntries(names.map((name) => [name, 'a-key-of-a-test']));
    const child = begin(words, { cwd, env });
    const asked = once(silent, 'connection');
    const [said, [code]] = await Promise.all([
      text(child.stderr),
      once(child, 'close'),
      asked.then(() => child.kill('SIGTERM')),
    ]);
    silent.close();
    expect([code, said]).toEqual([
      143,
      expect.stringContaining('error[interrupted] interrupted; nothing was sent'),
    ]);
  });

  test('closes the LIVE prompt, and an answer sends nothing', async () => {
    const { context, err } = contextAt('2026-11-22T00:00:00Z', { folder: folderWith() });
    const terminal = { ...context.terminal, input: new PassThrough(), canAsk: true };
    const stop = new AbortController();
    const destination = { profile: 'main', target: 'live', host: 'exchange.test' } as const;
    const totals = {
      create: 1,
      set: 0,
      unchanged: 0,
      requests: 1,
      seconds: 0,
      orders: 0,
      notional: '0',
    };
    const what = { kind: 'plan', id: 'p-1', destination, totals, signal: stop.signal } as const;
    const asking = askToSend(what, { terminal });
    stop.abort(new StoppedError(exits.interrupted));
    await expect(asking).rejects.toMatchObject({ code: 'interrupted', exit: 130 });
    expect(err()).toMatch(/: \n$/);

    const again = askToSend(
      { ...what, signal: new AbortController().signal },
      {
        terminal: { ...terminal, input: new PassThrough().end() },
      },
    );
    await expect(again).rejects.toMatchObject({ code: 'approval', exit: 5 });
    expect(err()).toMatch(/: \n$/);
  });
});

describe('an interrupted run', () => {
  const pause = `  - id: pause
    uses: wait
    with: { until: "{{ addTime run.time '1h' }}" }
`;
  const waiting = ladder.replace('  - id: tickers', `${pause}  - id: tickers`);

  /** Starts the run and waits until its orders are placed and it pauses. */
  async function pausing(cwd: string): Promise<{ run: string; child: ChildProcess }> {
    const child = begin(['run', 'waiting.yaml', '-o', 'ndjson'], { cwd });
    let text = '';
    for await (const chunk of child.stdout) {
      text += String(chunk);
      if (text.includes('"step":"pause"')) break;
    }
    return { run: /"run":"(r-[a-z0-9]+)"/.exec(text)?.[1] ?? '', child };
  }

  test('continues with the values it read, although its own orders changed them', async () => {
    const order = `    uses: futures/place-order\n    with:${limitOrder({ price: '40000.0' })}\n`;
    const one = `playbook: 1\nname: one\nsteps:\n  - id: bid\n${order}`;
    const look = `  - { id: look, uses: order/list-open, with: { category: USDT-FUTURES, symbol: BTCUSDT } }\n`;
    const like = `  - id: like\n    for-each: "{{ pluck steps.look.response.list 'symbol' }}"\n${order}`;
    const reading = `playbook: 1\nname: reading\nsteps:\n${look}${like}${pause}`;
    const cwd = folderWith({ 'one.yaml': one, 'waiting.yaml': reading });
    expect((await deskhand(['run', 'one.yaml'], { cwd })).code).toBe(0);
    const { run, child } = await pausing(cwd);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await deskhand(['sandbox', 'advance', '2h'], { cwd });
    const resumed = await deskhand(['resume', run], { cwd });
    expect([resumed.code, await resting(cwd)], resumed.stderr).toEqual([0, 2]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGKILL', null],
  ] as const)('by %s exits with %s, and resume sends nothing twice', async (signal, exit) => {
    const cwd = folderWith({ 'waiting.yaml': waiting });
    const { run, child } = await pausing(cwd);
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect(code).toBe(exit);
    const shown = await deskhand(['runs', 'show', run], { cwd });
    expect(shown.stdout).toContain(' at step 2 of 3');

    writeFileSync(join(cwd, 'waiting.yaml'), waiting.replace('0.030', '0.060'));
    await deskhand(['sandbox', 'advance', '2h'], { cwd });
    const resumed = await deskhand(['resume', run], { cwd });
    expect(resumed.stderr).toContain(`! waiting.yaml was changed since; ${run} continues`);
    expect([resumed.code, await resting(cwd)]).toEqual([0, 3]);
  });

  test('while a run writes to an account, a second is blocked and names the first', async () => {
    const cwd = folderWith({ ...files, 'waiting.yaml': waiting });
    const { run, child } = await pausing(cwd);
    for (const words of [
      ['run', 'ladder.yaml'],
      ['resume', run],
    ]) {
      const second = await deskhand(words, { cwd });
      expect([second.code, second.stderr.includes(`run ${run} (process`)]).toEqual([5, true]);
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  test('on a live account continues only with approval', async () => {
    const sandbox = await startSandbox();
    const account = `target: live, base-url: "${sandbox.baseUrl}", account-id: desk`;
    const config = `profiles: { main: { ${account} } }\n`;
    const cwd = folderWith({ 'waiting.yaml': waiting, 'deskhand.yaml': config });
    const { DESKHAND_BASE_URL: _url, ...env } = sandbox.env('hedge');
    const unapproved = await deskhand(['run', 'waiting.yaml'], { cwd, env });
    const id = /--approve (p-[0-9a-f]{8})/.exec(unapproved.stderr)?.[1] ?? '';
    const words = ['run', 'waiting.yaml', '--approve', id, '-o', 'ndjson'];
    const child = begin(words, { cwd, env });
    const [first] = await once(child.stdout, 'data');
    const run = /"run":"(r-[a-z0-9]+)"/.exec(String(first))?.[1] ?? '';
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { code, stderr } = await deskhand(['resume', run], { cwd, env });
    expect(code).toBe(5);
    expect(stderr.replaceAll(run, 'RUN')).toMatchSnapshot();
  });

  test('a completed run has nothing to resume', async () => {
    const cwd = folderWith(files);
    const { stdout } = await deskhand(['run', 'ladder.yaml', '-o', 'json'], { cwd });
    const { code, stderr } = await deskhand(['resume', JSON.parse(stdout).run], { cwd });
    expect([code, stderr.includes('there is nothing to resume')]).toEqual([0, true]);
  });

  test('an unknown run id gets a suggestion', async () => {
    const { code, stderr } = await deskhand(['resume', 'r-000000'], { cwd: folderWith() });
    expect([code, stderr.includes('no run r-000000')]).toEqual([2, true]);
  });
});

/** Crashes at one operation on run files. @returns whether there was such an operation */
async function diesAt(at: number, cwd: string): Promise<boolean> {
  const mortal = join(import.meta.dirname, '..', 'support', 'mortal.mjs');
  const env = { NODE_OPTIONS: `--import=${mortal}`, DIE_AT: String(at), DIE_UNDER: '/runs' };
  const { code } = await deskhand(['run', 'ladder.yaml'], { cwd, env });
  return code === null;
}

const deaths = Array.from({ length: 16 }, (_, before) => before + 1);

test.each(deaths)(
  'a run that crashes at file action %i ends, or the next one is done',
  async (at) => {
    const cwd = folderWith(files);
    expect(await diesAt(at, cwd)).toBe(true);
    const again = await deskhand(['run', 'ladder.yaml'], { cwd });
    // With an order in doubt, the next run is refused, and names the command that settles it.
    const resume = /`deskhand (resume r-\w+)`/.exec(again.stderr)?.[1]?.split(' ');
    expect(again.code).toBe(resume === undefined ? 0 : 5);
    const { code, stderr } = resume === undefined ? again : await deskhand(resume, { cwd });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(await resting(cwd)).toBe(3);
  },
);
