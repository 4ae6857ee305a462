/** Steps that are not of the exchange: the report page, a notice, a program. */
import type { Json } from '../base/json.ts';
import { Secret } from '../base/secret.ts';
import type { Outcome } from '../journal/entry.ts';
import type { Item } from '../plan/items.ts';
import { checkAllowed } from '../plan/programs.ts';
import { knownValue } from '../playbook/expression/known.ts';
import {
  EvaluationError,
  isList,
  toJson,
  type Scope,
  type Value,
} from '../playbook/expression/value.ts';
import type { BuiltIn, Step } from '../playbook/playbook.ts';
import { expressionsIn } from '../playbook/template.ts';
import { InterruptedError } from '../run/durable.ts';
import { failureOf } from '../run/outcome.ts';
import type { Bench } from './bench.ts';
import { drawChart } from './chart.ts';
import { writePage } from './page.ts';
import { runProgram } from './shell.ts';
import { makeTable } from './table/table.ts';

type Performer = (step: Step, item: Item, bench: Bench) => Promise<Json>;

type Performed = Exclude<BuiltIn, 'wait'>;

const makers: Readonly<Record<Performed, Performer>> = {
  'report/table': makeTable,
  'report/chart': drawChart,
  'report/page': writePage,
  'notify/webhook': async (step, item, bench) => {
    const notice = text(step, item, 'text');
    const key = step.with.has('sign-with') ? secretText(step, item, 'sign-with', bench) : undefined;
    await bench.notify(
      secretText(step, item, 'url', bench),
      {
        text: notice,
        playbook: bench.playbook.name,
        target: bench.destination.target,
      },
      key,
    );
    return { sent: true };
  },
  'shell/run': async (step, item, bench) => {
    const words = wordsIn(step, item);
    checkAllowed(words[0] ?? '', bench.programs, bench.destination.profile);
    const { scope, secrets } = scopeWithSecrets(step, item, 'env', bench);
    const printed = await runProgram({
      words,
      env: textsIn(step, { ...item, scope }, 'env'),
      cwd: bench.workspace,
      ...(step.timeoutMs !== undefined && { timeoutMs: step.timeoutMs }),
      signal: AbortSignal.any([bench.drain, bench.halt]),
      secrets,
    });
    return { ...printed };
  },
};

/** Each settles what it did: a built-in that failed says so; it never stays in doubt. */
export const performers: Readonly<Record<Performed, ReturnType<typeof settling>>> = {
  'report/table': settling(makers['report/table']),
  'report/chart': settling(makers['report/chart']),
  'report/page': settling(makers['report/page']),
  'notify/webhook': settling(makers['notify/webhook']),
  'shell/run': settling(makers['shell/run']),
};

function settling(performer: Performer): (...given: Parameters<Performer>) => Promise<Outcome> {
  return async (step, item, bench) => {
    try {
      return { kind: 'done', output: await performer(step, item, bench), evidence: 'answered' };
    } catch (error) {
      if (bench.drain.aborted || bench.halt.aborted) throw new InterruptedError();
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

/** A field that may name secrets: they enter the scope here and nowhere else. */
function secretText(step: Step, item: Item, name: string, bench: Bench): string {
  const { scope } = scopeWithSecrets(step, item, name, bench);
  return text(step, { ...item, scope }, name);
}

/** The scope with the secrets one field names, and these secrets. */
function scopeWithSecrets(
  step: Step,
  item: Item,
  name: string,
  bench: Bench,
): { readonly scope: Scope; readonly secrets: readonly Secret[] } {
  const template = step.with.get(name);
  const names = (template ? expressionsIn(template) : [])
    .flatMap(({ references }) => references)
    .filter(({ root }) => root === 'secrets')
    .map(({ path: [secret = ''] }) => secret);
  const values = Object.fromEntries(names.map((secret) => [secret, bench.secret(secret)]));
  return {
    scope: { ...item.scope, secrets: values },
    secrets: Object.values(values).map((value) => new Secret(value)),
  };
}

/** The words of a command; numbers as they are written. */
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
