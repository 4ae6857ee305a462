/** Built-in steps in a plan, without their secrets. */
import { ConfigError } from '../../base/error.ts';
import { isRecord, type Json } from '../../base/json.ts';
import type { Address } from '../journal/entry.ts';
import { approvalSpan } from '../../language/check/approve-fields.ts';
import { evaluateTemplate, textSoFar } from '../../language/expression/evaluate.ts';
import { momentOf, spanOf } from '../../language/expression/helpers/define.ts';
import {
  EvaluationError,
  isList,
  toJson,
  type Lookup,
  type Scope,
  type Value,
} from '../../language/expression/value.ts';
import { expressionsOf } from '../../language/expressions.ts';
import type { Step, Template } from '../../language/playbook.ts';
import { channelFor } from '../../language/channels/index.ts';
import { json } from '../../language/channels/json.ts';
import { sourcesOf } from '../../language/tables.ts';
import { expressionsIn } from '../../language/template.ts';
import { refuseFiles } from './notice-files.ts';
import type { PlanContext } from './plan-context.ts';
import type { PlannedAction } from './plan.ts';
import { checkAllowed } from './programs.ts';

/** Fields of built-in steps that may contain secrets: they are never shown. */
export const holdsSecrets: ReadonlySet<string> = new Set(['url', 'sign-with', 'env']);

/** The location and values of a step during planning. */
export interface Placed {
  readonly address: Address;
  readonly scope: Scope;
  /** Whether the step may never be executed, so that a failed check of it refuses nothing now. */
  readonly isUncertain?: boolean;
}

/**
 * Checks what a step needs on this machine: its secrets and its program.
 * @throws ConfigError for a secret that is not set, a program that is not allowed or missing
 */
export function checkNeeds(step: Step, at: Placed, context: PlanContext): void {
  for (const name of secretsOf(step)) context.here?.secret(name);
  if (step.uses !== 'shell/run') return;
  const template = step.with.get('command');
  const found = template && fieldIn(template, at, context);
  const words = found?.known ? found.value : found?.partial;
  const [name] = words !== undefined && isList(words) ? words : [];
  if (typeof name !== 'string') return; // known later: checked again before it is run
  const { profile } = context.naming.destination;
  checkAllowed(name, context.programs, profile);
  // An earlier program may create the file.
  if (context.programsBefore.size > 0 || (context.here?.hasProgram(name) ?? true)) return;
  throw new ConfigError(
    `${step.path}: program not found: ${JSON.stringify(name)}`,
    'install it where plans are made and run, or use its full path',
  );
}

function secretsOf(step: Step): readonly string[] {
  return expressionsOf(step)
    .flatMap(({ references }) => references)
    .filter(({ root }) => root === 'secrets')
    .map(({ path: [name = ''] }) => name);
}

/** The checks of the fields of built-in steps. */
const needed: Readonly<Record<string, (value: Value) => unknown>> = {
  'wait for': spanOf,
  'wait until': momentOf,
  'approve for': approvalSpan,
};

/** The effect of a local step, without secrets. */
export function localInput(step: Step, at: Placed, context: PlanContext): PlannedAction['input'] {
  if (step.uses.startsWith('report/')) return madeOf(step, at.scope);
  const shown = Object.fromEntries(
    [...step.with]
      .filter(([name]) => !holdsSecrets.has(name))
      .map(([name, template]) => {
        const found = fieldIn(template, at, context, needed[`${step.uses} ${name}`]);
        return [name, found.known ? toJson(found.value) : laterField(template, found, at.scope)];
      }),
  );
  if (step.uses !== 'notify/webhook') return shown;
  return { host: hostOf(step, { ...at, shown }, context), ...shown };
}

/**
 * The host of a notification. If the secret is unknown, as for an approver, it comes from the plan,
 * and the run compares it with the secret.
 */
function hostOf(
  step: Step,
  { shown, ...at }: Placed & { readonly shown: object },
  context: PlanContext,
): Json {
  const template = step.with.get('url');
  if (template === undefined) return '';
  const names = expressionsIn(template)
    .flatMap(({ references }) => references)
    .filter(({ root }) => root === 'secrets')
    .map(({ path: [name = ''] }) => name);
  if (names.length > 0 && context.here === undefined) {
    const input = context.recorded?.actions.get(at.address)?.input;
    const recorded = isRecord(input) ? input['host'] : undefined;
    return typeof recorded === 'string'
      ? recorded
      : names.map((name) => `secrets.${name}`).join(' ');
  }
  const secrets = Object.fromEntries(names.map((name) => [name, context.here?.secret(name) ?? '']));
  const found = fieldIn(template, { ...at, scope: { ...at.scope, secrets } }, context);
  if (!found.known) return { 'known-after': found.after };
  const url = typeof found.value === 'string' && URL.canParse(found.value) && new URL(found.value);
  const isSandbox = context.naming.destination.target === 'sandbox';
  const channel = url ? channelFor(shown, url) : json;
  const problem = url ? channel.addressProblem(url, isSandbox) : 'url is not an address';
  if (url && problem === undefined) {
    refuseFiles(step, channel);
    return url.host;
  }
  throw new ConfigError(`${step.path}: ${problem}`, 'set url, or its secret, to such an address');
}

/**
 * The value of a field; it stays unknown if evaluating it fails but might not fail in a run.
 * @throws EvaluationError when a new run would fail with it
 */
function fieldIn(
  template: Template,
  { address, scope, isUncertain }: Placed,
  { naming }: PlanContext,
  check?: (value: Value) => unknown,
): Lookup {
  try {
    const found = evaluateTemplate(template, scope);
    if (found.known) check?.(found.value);
    return found;
  } catch (error) {
    const isCertain = isUncertain !== true && naming.began === undefined;
    if (isCertain || !(error instanceof EvaluationError)) throw error;
    return { known: false, after: address };
  }
}

/** A field that the plan does not know, with what it knows of a text. */
function laterField(
  template: Template,
  { after }: Extract<Lookup, { readonly known: false }>,
  scope: Scope,
): Json {
  const text = textNow(template, scope);
  return { 'known-after': after, ...(text !== undefined && { text }) };
}

/** The known value of a text; a part that fails now may not fail in the run, which reports it. */
function textNow(template: Template, scope: Scope): string | undefined {
  try {
    return textSoFar(template, scope);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

/** The source of a table or chart, and its file; the rest is known later. */
function madeOf(step: Step, scope: Scope): PlannedAction['input'] {
  const from = sourcesOf(step).map((source) => source.step);
  const file = step.with.get('file');
  const found = file && evaluateTemplate(file, scope);
  return {
    ...(from.length > 0 && { from }),
    ...(found?.known && { file: toJson(found.value) }),
  };
}
