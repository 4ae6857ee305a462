/** The inputs of effects: only JSON, so that any process with the playbook can execute them. */
import type { Millis } from '../../base/clock.ts';
import type { JsonRecord } from '../../base/json.ts';
import type { Question } from '../journal/asked-schema.ts';
import type { Call } from '../plan/call.ts';
import type { Item } from '../plan/items.ts';
import type { Playbook, Step } from '../../language/playbook.ts';
import { failedField, partialSources } from '../../language/partial.ts';
import { sourcesOf } from '../../language/tables.ts';
import { expressionsIn } from '../../language/template.ts';
import { serializeScope } from './serialized.ts';

/** A write, ready to be sent. */
export interface WriteJob {
  /** The profile of the account. */
  readonly account: string;
  readonly call: Pick<
    Call,
    'address' | 'operation' | 'effect' | 'input' | 'identity' | 'key' | 'otherNames'
  >;
  readonly limits: CallLimits;
  /** The action whose order already has this clientOid: the two could not be distinguished. */
  readonly taken?: string;
  /** Whether the run continued without the call: earlier requests are looked up, and nothing is sent. */
  readonly isOver?: true;
  /** Whether other runs may have done the write: then the exchange's orders are searched first. */
  readonly asksFirst: boolean;
}

/** The playbook's limits for one call; default: the client's. */
export interface CallLimits {
  readonly timeoutMs?: Millis;
  readonly attempts?: number;
}

export function limitsOf({ timeoutMs, attempts }: Step): CallLimits {
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(attempts !== undefined && { attempts }),
  };
}

/** A step that evaluates expressions during its execution: rows, `until`, secrets. */
export interface StepJob {
  readonly account: string;
  /** The file of the step's playbook; `id` is the step's id there. */
  readonly file: string;
  readonly id: string;
  /** The step's path in the run. */
  readonly path: string;
  readonly address: string;
  /** The part of the scope that the step reads, serialized. */
  readonly scope: JsonRecord;
}

/** A question to people: the run waits for their signed answers. */
export interface ApprovalJob {
  readonly account: string;
  readonly address: string;
  readonly question: Question;
}

/** Every effect by name, with its input. */
export interface RunJobs {
  readonly 'exchange/read': StepJob;
  readonly 'exchange/export': StepJob;
  readonly 'exchange/set': WriteJob;
  readonly 'exchange/keyed': WriteJob;
  readonly 'exchange/once': WriteJob;
  readonly approve: ApprovalJob;
  readonly 'report/table': StepJob;
  readonly 'report/chart': StepJob;
  readonly 'report/page': StepJob;
  readonly 'notify/webhook': StepJob;
  readonly 'shell/run': StepJob;
}

export function writeJob(
  step: Step,
  { unknown: _unknown, ...call }: Call,
  account: string,
  { taken, isOver }: { readonly taken: string | undefined; readonly isOver: boolean },
): WriteJob {
  return {
    account,
    call,
    limits: limitsOf(step),
    ...(taken !== undefined && { taken }),
    ...(isOver && { isOver }),
    asksFirst: step.oncePer === 'playbook' && call.effect === 'keyed',
  };
}

export function stepJob(
  step: Step,
  { address, scope }: Item,
  playbook: Playbook,
  account: string,
): StepJob {
  return {
    account,
    file: playbook.file,
    id: step.id,
    path: step.path,
    address,
    scope: serializeScope(lateReads(step, playbook), scope),
  };
}

/** The parts of the scope that an effect reads when it evaluates the rest of a step. */
function lateReads(step: Step, playbook: Playbook): Parameters<typeof serializeScope>[0] {
  const { with: fields, until, write } = step;
  const templates = [...fields.values(), ...(write?.columns?.values() ?? [])];
  if (write) templates.push(write.file);
  const expressions = [...templates.flatMap(expressionsIn), ...(until ? [until] : [])];
  const sources = sourcesOf(step).map((source) => source.step);
  const rows = sources.map((id) => ({ root: 'steps', path: [id] }));
  const missing = partialSources(sources, playbook);
  return [
    ...expressions.flatMap(({ references }) => references),
    ...rows,
    ...missing.map((id) => ({ root: 'steps', path: [id, failedField] })),
  ];
}
