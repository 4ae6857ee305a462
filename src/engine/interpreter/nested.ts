/** A nested playbook: a child of the run, with one outcome. */
import { InternalError } from '../../base/error.ts';
import { fieldOf, isJsonRecord, type Json } from '../../base/json.ts';
import { under } from '../plan/nested.ts';
import { rulesOf } from '../plan/rules.ts';
import { within } from '../journal/doubt.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { InterpreterContext } from './interpreter-context.ts';
import type { Durable, TaskEnd } from './durable.ts';
import type { RunJobs } from './jobs.ts';
import type { Failure, Walked } from './outcome.ts';
import { outputsOf } from './playbook-outputs.ts';
import { deserializeScope } from './serialized.ts';
import { drive } from './routine.ts';
import { walk } from './walk.ts';

/**
 * Runs the playbook of a child.
 * @param around the context of the whole run, on its own account
 * @param playbooks all playbooks of the run, by file
 */
export async function runNested(
  durable: Durable<RunJobs>,
  plan: Json,
  input: Json,
  { around, playbooks }: { around: InterpreterContext; playbooks: ReadonlyMap<string, Playbook> },
): Promise<TaskEnd> {
  const [file, within, account] = ['file', 'within', 'account'].map((name) =>
    String(fieldOf(plan, name)),
  );
  const used = playbooks.get(file ?? '');
  if (used === undefined || within === undefined || !isJsonRecord(input)) {
    throw new InternalError(`no playbook of the run is ${file}`);
  }
  const inputs = deserializeScope(input);
  const destination = around.accounts.get(account ?? '') ?? around.naming.destination;
  const playbook = under(used, within);
  around.limits.open({ kind: 'playbook', within }, rulesOf(used, inputs, {}));
  const over = around.closed.get(within);
  const context: InterpreterContext = {
    ...around,
    ...(over !== undefined && { over }),
    durable,
    playbook,
    within,
    naming: { ...around.naming, destination },
  };
  const scope = { ...(around.run !== undefined && { run: around.run }), inputs, steps: {} };
  const walked = await drive(walk(scope, context), durable);
  // A doubt is reported even if later steps were not reached.
  if (walked.isInterrupted && walked.failure?.status !== 'doubt') return { kind: 'interrupted' };
  return walked.failure === undefined ? endOf(playbook, walked) : outcomeOf(walked.failure);
}

function endOf(playbook: Playbook, { abandoned, scope }: Walked): TaskEnd {
  return abandoned === undefined
    ? { kind: 'done', output: outputsOf(playbook, scope), evidence: 'answered' }
    : { kind: 'skipped', ...abandoned };
}

function outcomeOf({ status, code, message, hint, exit, step, address }: Failure): TaskEnd {
  const at = { step, address };
  if (status === 'doubt') return within(at, message);
  const kind = status === 'refused' ? 'refused' : 'failed';
  return {
    kind,
    code,
    message: `${address}: ${message}`,
    ...(hint !== undefined && { hint }),
    exit,
    at,
  };
}
