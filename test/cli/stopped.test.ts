import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { begin, deskhand, folderWith } from './deskhand.ts';
import { files, ladder, resting } from './ladder.ts';
import { startSandbox } from './sandbox.ts';

describe('an interrupted run', () => {
  const pause = `  - id: pause
    uses: wait
    with: { until: "{{ addTime run.time '1h' }}" }
`;
  const waiting = ladder.replace('  - id: tickers', `${pause}  - id: tickers`);

  /** Starts it and waits until its orders are placed and it pauses. */
  async function pausing(cwd: string): Promise<{ run: string; child: ChildProcess }> {
    const child = begin(['run', 'waiting.yaml', '-o', 'ndjson'], { cwd });
    let text = '';
    for await (const chunk of child.stdout) {
      text += String(chunk);
      if (text.includes('"step":"pause"')) break;
    }
    return { run: /"run":"(r-[a-z0-9]+)"/.exec(text)?.[1] ?? '', child };
  }

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGKILL', null],
  ] as const)('by %s ends with %s, and resume sends nothing twice', async (signal, exit) => {
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
    expect(resumed.stderr).toContain(`! waiting.yaml was changed since; ${run} goes on`);
    expect([resumed.code, await resting(cwd)]).toEqual([0, 3]);
  });

  test('while one writes on an account, a second is held back and names it', async () => {
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

  test('on a live account goes on only with approval', async () => {
    const sandbox = await startSandbox();
    const config = `profiles: { main: { target: live, base-url: "${sandbox.baseUrl}" } }\n`;
    const cwd = folderWith({ 'waiting.yaml': waiting, 'deskhand.yaml': config });
    const { DESKHAND_BASE_URL: _url, ...env } = sandbox.env('hedge');
    const held = await deskhand(['run', 'waiting.yaml'], { cwd, env });
    const id = /--approve (p-[0-9a-f]{8})/.exec(held.stderr)?.[1] ?? '';
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

  test('a run that was done has nothing to resume', async () => {
    const cwd = folderWith(files);
    const { stdout } = await deskhand(['run', 'ladder.yaml', '-o', 'json'], { cwd });
    const { code, stderr } = await deskhand(['resume', JSON.parse(stdout).run], { cwd });
    expect([code, stderr.includes('there is nothing to resume')]).toEqual([0, true]);
  });

  test('an unknown run names the near one', async () => {
    const { code, stderr } = await deskhand(['resume', 'r-000000'], { cwd: folderWith() });
    expect([code, stderr.includes('there is no run r-000000')]).toEqual([2, true]);
  });
});
