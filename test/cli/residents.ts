/** Processes that execute many command lines, for tests that do not depend on process startup. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { afterEachFile } from '../support/cleanup.ts';
import type { Ended } from './deskhand.ts';

export interface Command {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
}

const idle: ChildProcess[] = [];
const all = new Set<ChildProcess>();

/** Executes the command line in an idle process, or in a new one. */
export async function runResident(command: Command): Promise<Ended> {
  const child = idle.pop() ?? (await started());
  child.send(command);
  const ended = await answerOf(child);
  idle.push(child);
  return ended;
}

async function started(): Promise<ChildProcess> {
  const { PATH = '' } = process.env;
  const child = fork(
    join(import.meta.dirname, 'resident.mjs'),
    [join(dirname(inject('launcher')), 'cli.cjs')],
    {
      env: { PATH, TMPDIR: tmpdir() },
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  all.add(child);
  await answerOf(child); // it is ready
  child.unref(); // it ends when this process does
  child.channel?.unref();
  return child;
}

async function answerOf(child: ChildProcess): Promise<Ended> {
  const gone = new AbortController();
  const { signal } = gone;
  try {
    const [answer] = await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(([code]): never => {
        throw new Error(`the process of the command line ended with ${String(code)}`);
      }),
    ]);
    return answer;
  } finally {
    gone.abort();
  }
}

/** Two are kept for the next test file, which may need as many; others would use memory. */
afterEachFile(() => {
  idle.splice(2);
  for (const child of all) {
    if (idle.includes(child)) continue;
    child.kill('SIGKILL');
    all.delete(child);
  }
});
