/** Controls the sandbox: over HTTP if one is running here, else in the stored world. */
import { join } from 'node:path';
import { isCode, UsageError } from '../../base/error.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { controlOverHttp, type ControlRequest } from '../../config/control.ts';
import { sandboxFile } from '../../config/session.ts';
import { forgetWorld } from '../../sandbox/persistence/shared.ts';
import { Refusal } from '../../sandbox/refusal.ts';
import { openSandbox } from '../../sandbox/sandbox.ts';
import type { Context } from '../context.ts';

/** The file with the address of a running sandbox. */
export function runningFile(stateDir: string): string {
  return join(stateDir, 'sandbox-server.json');
}

/** @throws UsageError when the sandbox refuses */
export async function controlSandbox(
  asked: ControlRequest,
  stateDir: string,
  { clock }: Context,
): Promise<unknown> {
  const url = await runningUrl(stateDir);
  if (url !== undefined) return controlOverHttp(url, asked);
  const sandbox = await openSandbox({ clock, stateFile: sandboxFile(stateDir) });
  try {
    return inWords(() => sandbox.control(asked.method, asked.path, asked.fields));
  } finally {
    await sandbox.close();
  }
}

export interface Reset {
  readonly isRunning: boolean;
  /** Where the files of the earlier world are kept, if it was stored. */
  readonly moved: string | undefined;
}

/** A new world; an unreadable file can also be reset. */
export async function resetSandbox(stateDir: string, context: Context): Promise<Reset> {
  const isRunning = (await runningUrl(stateDir)) !== undefined;
  if (!isRunning) return { isRunning, moved: forgetWorld(sandboxFile(stateDir)) };
  await controlSandbox({ method: 'POST', path: 'reset', fields: {} }, stateDir, context);
  return { isRunning, moved: undefined };
}

/** @throws UsageError with the reason of a refusal */
export function inWords<T>(request: () => T): T {
  try {
    return request();
  } catch (error) {
    if (error instanceof Refusal) throw new UsageError(`the sandbox refused: ${error.message}`);
    throw error;
  }
}

/** Address of the control interface of a running sandbox. */
export async function runningUrl(stateDir: string): Promise<URL | undefined> {
  try {
    const note: unknown = parseJson((await readRegular(runningFile(stateDir))).toString('utf8'));
    const url = isRecord(note) ? note['controlUrl'] : undefined;
    return typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
