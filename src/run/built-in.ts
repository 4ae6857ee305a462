/** Steps that are not of the exchange: waiting, the report page, a notice to another system. */
import type { Json } from '../base/json.ts';
import { writeDocument } from '../export/document.ts';
import type { Outcome } from '../journal/entry.ts';
import { provenAt } from '../journal/replay.ts';
import type { Item } from '../plan/items.ts';
import { evaluateTemplate } from '../playbook/expression/evaluate.ts';
import { momentOf, spanOf } from '../playbook/expression/helpers/define.ts';
import { EvaluationError, toJson, type Value } from '../playbook/expression/value.ts';
import type { BuiltIn, Step } from '../playbook/playbook.ts';
import { InterruptedError, type Bench } from './bench.ts';
import { failureOf } from './perform.ts';

type Performer = (step: Step, item: Item, bench: Bench) => Promise<Json>;

const performers: Readonly<Record<BuiltIn, Performer>> = {
  wait: async (step, item, bench) => {
    const length = field(step, item, 'for');
    const until = field(step, item, 'until');
    const now = await bench.exchange.serverTime(bench.halt);
    const ms = length !== undefined ? spanOf(length) : momentOf(until) - now;
    await bench.clock.sleep(Math.max(0, ms), AbortSignal.any([bench.drain, bench.halt]));
    return { waited: ms };
  },
  'report/page': async (step, item, bench) => {
    const file = text(step, item, 'file');
    const written = await writeDocument({
      workspace: bench.workspace,
      file,
      text: bench.page(bench.recorder.entries),
    });
    return { file: written.file };
  },
  'notify/webhook': async (step, item, bench) => {
    const notice = text(step, item, 'text');
    await bench.notify(secretText(step, item, 'url', bench), {
      text: notice,
      playbook: bench.naming.playbook,
      target: bench.naming.destination.target,
    });
    return { sent: true };
  },
};

/** Does a built-in step and settles it. A built-in that failed says so; it never stays in doubt. */
export async function performBuiltIn(
  name: BuiltIn,
  step: Step,
  item: Item,
  bench: Bench,
): Promise<Outcome> {
  const before = provenAt(bench.before, item.address).outcome;
  if (before?.kind === 'done' && name !== 'report/page') return before;
  const outcome = await attempt(performers[name], step, item, bench);
  await bench.recorder.record({ kind: 'settled', address: item.address, outcome });
  return outcome;
}

async function attempt(
  performer: Performer,
  step: Step,
  item: Item,
  bench: Bench,
): Promise<Outcome> {
  try {
    return { kind: 'done', output: await performer(step, item, bench), evidence: 'answered' };
  } catch (error) {
    if (bench.drain.aborted || bench.halt.aborted) throw new InterruptedError();
    return failureOf(error);
  }
}

function field(step: Step, item: Item, name: string): Value | undefined {
  const template = step.with.get(name);
  if (template === undefined) return undefined;
  const found = evaluateTemplate(template, item.scope);
  if (!found.known) throw new EvaluationError(`${name} is known only after ${found.after}`);
  return found.value;
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
  const template = step.with.get(name);
  const names =
    template?.kind === 'expression'
      ? template.expression.references
      : template?.kind === 'text'
        ? template.parts.flatMap((part) => (typeof part === 'string' ? [] : part.references))
        : [];
  const secrets = Object.fromEntries(
    names
      .filter(({ root }) => root === 'secrets')
      .map(({ path: [secret = ''] }) => [secret, bench.secret(secret)]),
  );
  return text(step, { ...item, scope: { ...item.scope, secrets } }, name);
}
