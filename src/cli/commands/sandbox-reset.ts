/** `sandbox reset`: the built-in exchange forgets everything; runs and plans stay. */
import { rm } from 'node:fs/promises';
import { exits, type ExitCode } from '../../base/error.ts';
import { sandboxFolder } from '../../config/session.ts';
import type { Context, Given } from '../context.ts';
import { configOf } from '../work.ts';

export async function run(context: Context, _given: Given): Promise<ExitCode> {
  const { stateDir } = await configOf(context);
  await rm(sandboxFolder(stateDir), { recursive: true, force: true });
  context.terminal.out.line('the sandbox begins anew with its next use');
  return exits.done;
}
