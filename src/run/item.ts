/** One item of a step: its condition, its action, its expectations, its outputs. */
import type { Millis } from '../base/clock.ts';
import { exits, InternalError } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import { operationOf, type OperationName } from '../contract/operations/index.ts';
import { readAll } from '../contract/reading.ts';
import type { Outcome } from '../journal/entry.ts';
import { provenAt } from '../journal/replay.ts';
import { callOf } from '../plan/call.ts';
import type { Item } from '../plan/items.ts';
import { evaluateTemplate, wireInput } from '../playbook/expression/evaluate.ts';
import { toJson, type Scope, type Value } from '../playbook/expression/value.ts';
import type { Step } from '../playbook/playbook.ts';
import { benchFor } from './account.ts';
import { InterruptedError, type Bench, type Playback } from './bench.ts';
import { performBuiltIn } from './built-in.ts';
import { isTrue, limitsOf } from './condition.ts';
import { abandonedIn, failureFrom, skippedItem, type Failure, type ItemResult } from './outcome.ts';
import { runNested } from './nested.ts';
import { failureOf, perform, tell } from './perform.ts';
import { writeFile, writtenIn, type Written } from './write.ts';

/** What an action brought: an outcome, and a file when it wrote one. */
interface Acted {
  readonly outcome: Outcome;
  readonly written?: Written;
  /** Where it failed, when that is not the item itself. */
  readonly failure?: Failure;
}

export async function runItem(step: Step, item: Item, around: Bench): Promise<ItemResult> {
  const named = item.key === undefined ? {} : { key: item.key };
  try {
    if (step.condition !== undefined && !isTrue(step.condition, item.scope)) {
      return { ...skippedItem('its condition is false'), ...named };
    }
    const bench = benchFor(step, item, around);
    const { outcome, written, failure: within } = await actOn(step, item, bench);
    const failure = within ?? failureFrom(step.path, item.address, outcome);
    if (outcome.kind !== 'done') {
      const abandoned = abandonedIn(outcome);
      return {
        ...named,
        status: outcome.kind,
        response: null,
        outputs: null,
        ...(failure && { failure }),
        ...(abandoned && { because: abandoned.because, abandoned }),
      };
    }
    return { ...named, ...(await conclude(step, item, outcome.output, written, bench)) };
  } catch (error) {
    const failure = failureFrom(step.path, item.address, failureOf(error));
    if (failure === undefined) throw error;
    return { ...named, status: failure.status, response: null, outputs: null, failure };
  }
}

/** Expectations and outputs, over an answer that is on the disk already. */
async function conclude(
  step: Step,
  item: Item,
  response: Json,
  written: Written | undefined,
  bench: Bench,
): Promise<Omit<ItemResult, 'key'>> {
  const scope: Scope = { ...item.scope, response, ...(written && { rows: written.rows }) };
  const unmet = await checkExpectations(step, item, scope, bench);
  const outputs = step.outputs === undefined ? response : outputsOf(step.outputs, scope);
  return {
    status: unmet ? 'failed' : 'done',
    response,
    outputs,
    ...written,
    ...(unmet && { failure: unmet }),
  };
}

async function actOn(step: Step, item: Item, bench: Bench): Promise<Acted> {
  const { playback } = bench;
  if (playback && step.action.kind !== 'playbook') return recalled(step, item, playback, bench);
  switch (step.action.kind) {
    case 'built-in': {
      const outcome = await performBuiltIn(step.action.name, step, item, bench);
      const isFile = outcome.kind === 'done' && step.write !== undefined;
      const written = isFile ? writtenIn(outcome.output) : undefined;
      return { outcome, ...(written && { written }) };
    }
    case 'playbook':
      return runNested(step.action.playbook, step, item, bench);
    case 'none':
      throw new InternalError(`${step.path} was never proved`);
    case 'call': {
      const { operation } = step.action;
      if (operationOf(operation).effect !== 'read') {
        const call = callOf(step, operation, item, bench.naming);
        return { outcome: await perform(call, limitsOf(step), bench) };
      }
      return step.write === undefined
        ? { outcome: await readOnce(step, operation, item, bench) }
        : await writeFile(step, step.write, operation, item, bench);
    }
  }
}

/** What the journal says came of it, for the call as it would be made now. */
function recalled(step: Step, item: Item, playback: Playback, bench: Bench): Acted {
  const { action } = step;
  const isWrite = action.kind === 'call' && operationOf(action.operation).effect !== 'read';
  const call = isWrite ? callOf(step, action.operation, item, bench.naming) : undefined;
  const outcome = playback(item.address, step.path, call);
  const isFile = outcome.kind === 'done' && step.write !== undefined;
  const written = isFile ? writtenIn(outcome.output) : undefined;
  return { outcome, ...(written && { written }) };
}

/** A read, repeated while `until` is false; kept from before when a resumed run has it. */
async function readOnce(
  step: Step,
  operation: OperationName,
  item: Item,
  bench: Bench,
): Promise<Outcome> {
  const before = provenAt(bench.before, item.address).outcome;
  if (before?.kind === 'done') return before;
  const { input } = wireInput(operation, step.with, item.scope);
  const giveUpAt = bench.clock.monotonic() + (step.poll?.forMs ?? 0);
  for (;;) {
    if (bench.drain.aborted) throw new InterruptedError();
    const now = await bench.exchange.serverTime(bench.halt);
    const options = {
      signal: bench.halt,
      ...limitsOf(step),
      onEvent: tell(item.address, bench),
    };
    const reading = { exchange: bench.exchange, options, now };
    const { answer: response } = await readAll(operation, input, reading);
    if (step.until === undefined || isTrue(step.until, { ...item.scope, response })) {
      const outcome: Outcome = { kind: 'done', output: response, evidence: 'answered' };
      await bench.recorder.record({ kind: 'settled', address: item.address, outcome });
      return outcome;
    }
    const everyMs = step.poll?.everyMs ?? defaultPollMs;
    if (bench.clock.monotonic() + everyMs > giveUpAt) return pollEnded(step, item, bench);
    await bench.recorder.record({
      kind: 'waited',
      address: item.address,
      operation,
      why: 'poll',
      ms: everyMs,
    });
    await bench.clock.sleep(everyMs, bench.halt);
  }
}

const defaultPollMs: Millis = 1_000;

async function pollEnded(step: Step, item: Item, bench: Bench): Promise<Outcome> {
  const outcome: Outcome = {
    kind: 'failed',
    code: 'poll-ended',
    message: `${item.address}: until was still false after ${(step.poll?.forMs ?? 0) / 1000} s`,
    hint: 'look at the last answer with «deskhand runs show», or poll for longer',
    exit: exits.stopped,
  };
  await bench.recorder.record({ kind: 'settled', address: item.address, outcome });
  return outcome;
}

async function checkExpectations(
  step: Step,
  item: Item,
  scope: Scope,
  bench: Bench,
): Promise<Failure | undefined> {
  let failure: Failure | undefined;
  for (const { that, message, level, at } of step.expect) {
    if (isTrue(that, scope)) continue;
    const text = message ? textOf(evaluateTemplate(message, scope)) : `${that.text} is false`;
    const { line } = at.start;
    await bench.recorder.record({
      kind: 'unmet',
      address: item.address,
      level,
      message: text,
      line,
    });
    if (level === 'warn') continue;
    failure ??= {
      step: step.path,
      address: item.address,
      status: 'failed',
      code: 'expectation',
      message: text,
      exit: exits.stopped,
    };
  }
  return failure;
}

function outputsOf(
  outputs: ReadonlyMap<string, Parameters<typeof evaluateTemplate>[0]>,
  scope: Scope,
): Json {
  return Object.fromEntries(
    [...outputs].map(([name, template]) => {
      const found = evaluateTemplate(template, scope);
      return [name, found.known ? toJson(found.value) : { 'known-after': found.after }];
    }),
  );
}

function textOf(found: { known: true; value: Value } | { known: false; after: string }): string {
  if (!found.known) return `known after ${found.after}`;
  const json = toJson(found.value);
  return typeof json === 'string' ? json : JSON.stringify(json);
}
