/** Another process that takes locks, in this namespace or in one of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface LockProcess {
  /** "done", or the error. */
  readonly ask: (line: string) => Promise<string>;
  /** Ends it at once, as a crash does. */
  readonly kill: () => Promise<void>;
}

const program = join(import.meta.dirname, 'lock-child.ts');

/** @param around a command that starts the process: `unshare --pid --fork --mount-proc` */
export function lockProcess(around: readonly string[] = []): LockProcess {
  const [command, ...args] = [...around, process.execPath, '--import', 'tsx', program];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.on('error', () => undefined); // it cannot be started: the exit tells
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'close');
  return {
    ask: async (line) => {
      child.stdin.write(`${line}\n`);
      const answer = await lines.next();
      return answer.done === true ? 'it ended' : answer.value;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
