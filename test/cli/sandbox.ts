/** A sandbox started by the command line, stopped after the test. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEachTest } from '../support/cleanup.ts';
import { begin, folderWith } from './deskhand.ts';

export interface Started {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly readyFile: string;
  /** Environment for using one of its accounts. */
  env(account: string): Readonly<Record<string, string>>;
  stop(): Promise<number | null>;
}

interface Ready {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly accounts: Readonly<
    Record<string, { uid: string; apiKey: string; secretKey: string; passphrase: string }>
  >;
}

/** Starts a sandbox in a separate folder. */
export function startSandbox(): Promise<Started> {
  return startSandboxIn(folderWith());
}

/** Starts a sandbox that commands in this folder find. */
export async function startSandboxIn(cwd: string): Promise<Started> {
  const readyFile = join(cwd, 'ready.json');
  const words = ['sandbox', 'start', '--port', '0', '--ready-file', readyFile];
  const child = begin(words, { cwd });
  running.push(child);
  await once(child.stdout, 'data'); // it prints after it listens, and the file is written before
  const ready: Ready = JSON.parse(readFileSync(readyFile, 'utf8'));
  return {
    baseUrl: ready.baseUrl,
    controlUrl: ready.controlUrl,
    readyFile,
    env: (account) => {
      const keys = ready.accounts[account];
      if (keys === undefined) throw new Error(`the sandbox has no account ${account}`);
      return {
        DESKHAND_BASE_URL: ready.baseUrl,
        DESKHAND_API_KEY: keys.apiKey,
        DESKHAND_API_SECRET: keys.secretKey,
        DESKHAND_API_PASSPHRASE: keys.passphrase,
      };
    },
    stop: () => stopped(child),
  };
}

const running: ChildProcessWithoutNullStreams[] = [];

async function stopped(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return child.exitCode;
}

afterEachTest(async () => {
  await Promise.all(running.splice(0).map(stopped));
});
