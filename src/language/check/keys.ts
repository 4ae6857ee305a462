/** Keys that apply only to some steps, or only with another key. */
import { operationOf } from '../../exchange/api/operations/index.ts';
import type { Step } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import type { SourceNode } from '../text/node.ts';
import type { SourceText } from '../text/positions.ts';
import { knownAction } from '../uses.ts';

/** The list a step is in. */
export type Section = 'steps' | 'on-failure' | 'finally';

interface Case {
  readonly key: string;
  readonly message: string;
  readonly hint?: string;
  /** Whether the key would have no effect, instead of an unintended one. */
  readonly isHarmless?: true;
}

/** Reports keys that would be ignored, or have an unintended effect. */
export function checkKeys(
  step: Step,
  section: Section,
  node: SourceNode,
  source: SourceText,
  problems: Problems,
): void {
  if (node.kind !== 'map') return;
  const has = (key: string): boolean => node.entries.has(key);
  for (const { key, message, hint, isHarmless } of [
    ...casesOfAction(step),
    ...casesOfPolling(step, has),
    ...casesOfItems(step),
    ...casesOfSection(section),
  ]) {
    const entry = node.entries.get(key);
    if (entry === undefined) continue;
    problems.add('PB408', source.of(entry.key), message, {
      level: isHarmless ? 'warning' : 'error',
      ...(hint !== undefined && { hint }),
    });
  }
}

function casesOfAction(step: Step): readonly Case[] {
  const { uses } = step;
  const action = knownAction(step);
  if (action.kind === 'none') return [];
  if (action.kind === 'playbook') {
    return ['until', 'poll', 'write', 'retry', 'timeout', 'once-per'].map((key) => ({
      key,
      message: `${key} does not apply to a nested playbook`,
      hint: `set it in the steps of ${uses}`,
    }));
  }
  const effect = action.kind === 'call' ? operationOf(action.operation).effect : 'local';
  const once: Case = {
    key: 'once-per',
    message: `${uses} does not write to the account: once-per has no effect`,
    isHarmless: true,
  };
  switch (effect) {
    case 'read':
      return [once];
    case 'local':
      return [
        ...['until', 'poll', ...writeUnless(uses), 'retry', ...timeoutUnless(uses)].map((key) => ({
          key,
          message: `${uses} sends no request: ${key} has no effect`,
        })),
        once,
      ];
    case 'set':
    case 'keyed':
    case 'once':
      return [
        ...['until', 'poll'].map((key) => ({
          key,
          message: `${uses} writes, and ${key} would repeat it`,
          hint: 'poll the effect in a separate step, with a read',
        })),
        {
          key: 'write',
          message: `${uses} returns no rows to write`,
          hint: 'write belongs to a step that reads a list',
        },
      ];
  }
}

function casesOfPolling(step: Step, has: (key: string) => boolean): readonly Case[] {
  const { poll } = step;
  const cases: Case[] = [];
  if (!has('poll')) {
    const hint = 'add poll: { every: 1s, for: 20s }';
    cases.push({ key: 'until', message: 'until requires poll', hint });
  }
  if (!has('until')) {
    const hint = 'add until with a condition, or remove poll';
    cases.push({ key: 'poll', message: 'poll requires until', hint });
  }
  if (has('write')) {
    const hint = 'poll in one step, and write in the next';
    cases.push({
      key: 'until',
      message: 'a step with write reads once: until has no effect',
      hint,
    });
  }
  if (poll && poll.everyMs > poll.forMs) {
    const message = 'every is longer than for: until would be checked only once';
    cases.push({ key: 'poll', message, isHarmless: true });
  }
  return cases;
}

function casesOfItems({ forEach, onError }: Step): readonly Case[] {
  if (forEach !== undefined) return onError === 'stop' ? [maxFailuresOfStop] : [];
  const partial: Case = {
    key: 'on-error',
    message: 'on-error: partial requires for-each',
    hint: 'write on-error: continue, or add for-each',
  };
  const ignored = ['key', 'parallel', 'max-failures'].map((key): Case => ({
    key,
    message: `${key} requires for-each`,
    isHarmless: true,
  }));
  return onError === 'partial' ? [...ignored, partial] : ignored;
}

const maxFailuresOfStop: Case = {
  key: 'max-failures',
  message:
    'on-error: stop starts no other item after the first failure: max-failures has no effect',
  hint: 'add on-error: partial, or on-error: continue',
};

function casesOfSection(section: Section): readonly Case[] {
  if (section === 'steps') return [];
  return ['needs', 'on-error', 'max-failures'].map((key) => ({
    key,
    message: `steps of ${section} all run in the order of the file: ${key} has no effect`,
    isHarmless: true,
  }));
}

/** The rows of a table may go to a file. */
function writeUnless(uses: string): readonly string[] {
  return uses === 'report/table' ? [] : ['write'];
}

/** The keys that a built-in step cannot have: only a program can have a timeout. */
function timeoutUnless(uses: string): readonly string[] {
  return uses === 'shell/run' ? [] : ['timeout'];
}
