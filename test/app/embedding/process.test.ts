import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, inject, test } from 'vitest';
import { resume } from '../../../src/index.ts';
import { begin, deskhand } from '../../cli/deskhand.ts';
import { resting } from '../../cli/ladder.ts';
import { afterEachTest } from '../../support/cleanup.ts';
import { folder, type Where } from './options.ts';

const children = new Set<ChildProcessWithoutNullStreams>();
afterEachTest(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a program that embeds deskhand; its options are in `options`. */
function embedded(
  program: string,
  { cwd, env }: Where,
  more: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  const script = `import { plan, resume, run, validate } from '${inject('library')}';
    const options = ${JSON.stringify({ cwd, env })};
    ${program}`;
  const words = ['--input-type=module', '-e', script];
  // The folder and the variables of the process are not those of the work.
  const child = spawn(process.execPath, words, { cwd: '/', env: { ...process.env, ...more } });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

async function ended(
  child: ChildProcessWithoutNullStreams,
): Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }> {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

test('it prints nothing, listens for no signal, changes nothing of the process, and lets it end', async () => {
  const where = folder({
    'bad.yaml': 'playbook: 1\nname: bad\nsteps: []\n',
    'files.yaml': `playbook: 1
name: files
steps:
  - { id: tickers, uses: market/list-tickers, with: { category: SPOT }, write: { file: out/t.csv } }
`,
  });
  const { code, stdout, stderr } = await ended(
    embedded(
      `
      import { syncBuiltinESMExports } from 'node:module';
      import v8 from 'node:v8';
      const flags = [];
      v8.setFlagsFromString = (flag) => flags.push(flag);
      syncBuiltinESMExports();
      const state = () => JSON.stringify([
        process.cwd(), process.exitCode, process.env, process.listenerCount('exit'),
        ...['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'beforeExit', 'warning']
          .map((name) => process.listenerCount(name)),
      ]);
      const before = state();
      const during = [];
      await validate({ playbooks: 'ladder.yaml', ...options });
      const made = await plan({ playbook: 'ladder.yaml', ...options });
      for (const job of [run({ plan: made, ...options }), run({ playbook: 'bad.yaml', ...options }), run({ playbook: 'files.yaml', ...options })]) {
        for await (const _ of job) during.push(state());
        await job.result;
      }
      if (state() !== before || during.length === 0 || during.some((each) => each !== before)) process.exitCode = 9;
      if (flags.length > 0) process.exitCode = 8;`,
      where,
    ),
  );
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await resting(where.cwd)).toBe(3);
});

test('it runs in worker threads: side by side, and one of two on the same account', async () => {
  const where = folder();
  const { code, stdout, stderr } = await ended(
    embedded(
      `
      import { once } from 'node:events';
      import { Worker } from 'node:worker_threads';
      const text = \`
        import { parentPort, workerData } from 'node:worker_threads';
        const { run } = await import('${inject('library')}');
        const { status, error } = await run({ playbook: 'ladder.yaml', ...workerData }).result;
        parentPort.postMessage(status + ' ' + (error?.code ?? '') );
      \`;
      const url = new URL('data:text/javascript,' + encodeURIComponent(text));
      const said = await Promise.all([${JSON.stringify(folder().cwd)}, options.cwd, options.cwd].map(
        async (cwd) => (await once(new Worker(url, { workerData: { ...options, cwd } }), 'message'))[0],
      ));
      console.log(JSON.stringify([said[0], ...said.slice(1).sort()]));`,
      where,
    ),
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [alone, ...both] = JSON.parse(stdout);
  expect([alone, both[0]]).toEqual(['done ', 'done ']);
  expect(['done ', 'refused locked']).toContain(both[1]); // unless the other had ended
});

/** A program that pauses in its run, with its run id. */
async function pausing(child: ChildProcessWithoutNullStreams): Promise<string> {
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes('"step":"pause"')) break;
  }
  return /"run":"(r-[a-z0-9]+)"/.exec(said)?.[1] ?? '';
}

/** Prints its events until it pauses: then nobody reads them any more. */
const printing = `
  let isPaused = false;
  for await (const event of run({ playbook: 'waiting.yaml', ...options })) {
    if (!isPaused) console.log(JSON.stringify(event));
    isPaused ||= event.kind === 'opened' && event.step === 'pause';
  }`;

async function kill(child: ChildProcessWithoutNullStreams): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('a run whose process is killed', () => {
  test('as an embedding program, is resumed by the library and by the command line', async () => {
    for (const by of ['library', 'command line']) {
      const where = folder();
      const child = embedded(printing, where);
      const run = await pausing(child);
      const locked = await resume({ run, ...where }).result;
      expect(locked).toMatchObject({ status: 'refused', exit: 5, error: { code: 'locked' } });
      await kill(child);
      await deskhand(['sandbox', 'advance', '2h'], where);
      const code =
        by === 'library'
          ? (await resume({ run, ...where }).result).exit
          : (await deskhand(['resume', run], where)).code;
      expect([by, code, await resting(where.cwd)]).toEqual([by, 0, 3]);
    }
  });

  test('as the command line, is resumed by the library', async () => {
    const where = folder();
    const child = begin(['run', 'waiting.yaml', '-o', 'ndjson'], where);
    const run = await pausing(child);
    await kill(child);
    await deskhand(['sandbox', 'advance', '2h'], where);
    expect(await resume({ run, ...where }).result).toMatchObject({ status: 'done', exit: 0 });
    expect(await resting(where.cwd)).toBe(3);
  });

  test.each([3, 9, 15])('at file action %i, places no order twice', async (at) => {
    const where = folder();
    const mortal = join(import.meta.dirname, '..', '..', 'support', 'mortal.mjs');
    const program = `await run({ playbook: 'ladder.yaml', ...options }).result;`;
    const child = embedded(program, where, {
      NODE_OPTIONS: `--import=${mortal}`,
      DIE_AT: String(at),
      DIE_UNDER: '/.deskhand/runs',
    });
    expect((await ended(child)).code).toBe(null);
    const [run] = readdirSync(join(where.cwd, '.deskhand', 'runs')).flatMap(
      (name) => /^(r-[a-z0-9]{12})$|^(r-[a-z0-9]{12})\./.exec(name)?.slice(1).find(Boolean) ?? [],
    );
    const resumed = run === undefined ? undefined : await resume({ run, ...where }).result;
    const hasStarted = resumed !== undefined && resumed.status !== 'refused';
    if (hasStarted) expect(resumed).toMatchObject({ status: 'done' });
    else expect((await deskhand(['run', 'ladder.yaml'], where)).code).toBe(0);
    expect(await resting(where.cwd)).toBe(3);
  });
});
