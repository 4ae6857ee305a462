/** `sandbox reset`: the exchange forgets everything; runs and plans stay. */
import { exits, type ExitCode } from '../../base/error.ts';
import { sandboxFile } from '../../config/session.ts';
import { forgetWorld } from '../../sandbox/state/shared.ts';
import type { Context, Given } from '../context.ts';
import { configOf } from '../running/work.ts';
import { controlSandbox, runningUrl } from '../sandbox/control.ts';

export async function run(context: Context, _given: Given): Promise<ExitCode> {
  const { stateDir } = await configOf(context);
  const isRunning = (await runningUrl(stateDir)) !== undefined;
  // A file that cannot be read any more must be forgotten all the same.
  if (!isRunning) forgetWorld(sandboxFile(stateDir));
  else await controlSandbox({ method: 'POST', path: 'reset', fields: {} }, stateDir, context);
  context.terminal.out.line(
    isRunning ? 'the sandbox has begun anew' : 'the sandbox begins anew with its next use',
  );
  return exits.done;
}
