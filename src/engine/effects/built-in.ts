/** Built-in steps: the report page, a notification, a program. */
import type { Json } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import type { Outcome } from '../journal/entry.ts';
import type { Item } from '../plan/items.ts';
import type { OutboundUse } from '../plan/outbound.ts';
import { checkAllowed } from '../plan/programs.ts';
import { knownValue } from '../../language/expression/known.ts';
import {
  EvaluationError,
  isList,
  toJson,
  type Scope,
  type Value,
} from '../../language/expression/value.ts';
import type { BuiltIn, Step } from '../../language/playbook.ts';
import { expressionsIn } from '../../language/template.ts';
import { InterruptedError } from '../interpreter/durable.ts';
import { failureOf } from '../interpreter/outcome.ts';
import type { EffectContext } from './effect-context.ts';
import { drawChart } from './chart.ts';
import { noticeOf, noticeRecord } from './notice.ts';
import { writePage } from './page.ts';
import { makeTable } from './table/table.ts';

type Performer = (step: Step, item: Item, context: EffectContext) => Promise<Json>;

type Performed = Exclude<BuiltIn, 'wait' | 'approve'>;

const makers: Readonly<Record<Performed, Performer>> = {
  'report/table': makeTable,
  'report/chart': drawChart,
  'report/page': writePage,
  'notify/webhook': async (step, item, context) => {
    const url = secretText(step, item, 'url', context);
    const key = step.with.has('sign-with')
      ? secretText(step, item, 'sign-with', context)
      : undefined;
    const notice = await noticeOf(step, item, url, context);
    await admit('notify/webhook', item, context);
    await context.notify(url, notice, key);
    return noticeRecord(notice);
  },
  'shell/run': async (step, item, context) => {
    const words = wordsIn(step, item);
    checkAllowed(words[0] ?? '', context.programs, context.destination.profile);
    const { scope, secrets } = scopeWithSecrets(step, item, 'env', context);
    await admit('shell/run', item, context);
    const printed = await context.execute({
      words,
      inherited: context.inherited,
      env: textsIn(step, { ...item, scope }, 'env'),
      cwd: context.workspace,
      ...(step.timeoutMs !== undefined && { timeoutMs: step.timeoutMs }),
      signal: AbortSignal.any([context.drain, context.halt]),
      secrets: [...(context.secrets ?? []), ...secrets],
    });
    return { ...printed };
  },
};

/** Checks the limits for an outbound use and counts it. @throws LimitError */
async function admit(
  operation: OutboundUse,
  { address }: Item,
  context: EffectContext,
): Promise<void> {
  const effect = { address, operation, input: {}, account: context.destination };
  const ready = await context.limits.ready(effect, context.halt);
  ready.admit();
}

/**
 * The built-in steps. Each has a definite result: a failed one reports its failure, and never stays in
 * doubt.
 */
export const performers: Readonly<Record<Performed, ReturnType<typeof settling>>> = {
  'report/table': settling(makers['report/table']),
  'report/chart': settling(makers['report/chart']),
  'report/page': settling(makers['report/page']),
  'notify/webhook': settling(makers['notify/webhook']),
  'shell/run': settling(makers['shell/run']),
};

function settling(performer: Performer): (...given: Parameters<Performer>) => Promise<Outcome> {
  return async (step, item, context) => {
    try {
      return { kind: 'done', output: await performer(step, item, context), evidence: 'answered' };
    } catch (error) {
      if (context.drain.aborted || context.halt.aborted) throw new InterruptedError();
      return failureOf(error);
    }
  };
}

function field(step: Step, item: Item, name: string): Value | undefined {
  const template = step.with.get(name);
  return template && knownValue(template, item.scope, name);
}

function text(step: Step, item: Item, name: string): string {
  const value = field(step, item, name);
  const json = value === undefined ? '' : toJson(value);
  if (typeof json !== 'string' || json === '') {
    throw new EvaluationError(`${step.path}: ${name} must be a text`);
  }
  return json;
}

/** A field that may use secrets: they are in scope only here. */
function secretText(step: Step, item: Item, name: string, context: EffectContext): string {
  const { scope } = scopeWithSecrets(step, item, name, context);
  return text(step, { ...item, scope }, name);
}

/** The scope with the secrets that one field uses, and their values. */
function scopeWithSecrets(
  step: Step,
  item: Item,
  name: string,
  context: EffectContext,
): { readonly scope: Scope; readonly secrets: readonly Secret[] } {
  const template = step.with.get(name);
  const names = (template ? expressionsIn(template) : [])
    .flatMap(({ references }) => references)
    .filter(({ root }) => root === 'secrets')
    .map(({ path: [secret = ''] }) => secret);
  const values = Object.fromEntries(names.map((secret) => [secret, context.secret(secret)]));
  return {
    scope: { ...item.scope, secrets: values },
    secrets: Object.values(values).map((value) => new Secret(value)),
  };
}

/** The arguments of a command; numbers as written. */
function wordsIn(step: Step, item: Item): readonly string[] {
  const value = field(step, item, 'command');
  const words = value !== undefined && isList(value) ? value.map(wordOf) : [];
  const [name] = words;
  if (name === undefined || name === '' || words.includes(undefined)) {
    throw new EvaluationError(`${step.path}: command must be a list of words`);
  }
  return words.filter((word) => word !== undefined);
}

function textsIn(step: Step, item: Item, name: string): Readonly<Record<string, string>> {
  const value = field(step, item, name);
  const entries = value === undefined ? [] : Object.entries(Object(toJson(value)));
  return Object.fromEntries(entries.map(([key, one]) => [key, String(one)]));
}

function wordOf(value: Value): string | undefined {
  const json = toJson(value);
  return typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean'
    ? String(json)
    : undefined;
}
