/** When a playbook runs by itself: times that exist, in a zone that exists, and steps that do. */
import { nearWord } from '../../base/text.ts';
import { cronProblem } from '../cron.ts';
import { expressionsOf } from '../expressions.ts';
import type { Playbook, Step } from '../playbook.ts';
import { didYouMean, type Problems } from '../problems.ts';
import { childOf, textOf, type SourceNode } from '../text/node.ts';
import type { SourceText } from '../text/positions.ts';

interface Checking {
  readonly source: SourceText;
  readonly problems: Problems;
}

export function checkSchedule(playbook: Playbook, tree: SourceNode, checking: Checking): void {
  const entries = childOf(tree, 'schedule');
  if (entries?.kind !== 'list') return;
  const steps = new Map(playbook.steps.map((step) => [step.id, step]));
  for (const entry of entries.items) {
    checkCron(childOf(entry, 'cron'), checking);
    checkZone(childOf(entry, 'timezone'), checking);
    checkSteps(childOf(entry, 'only'), steps, checking);
  }
}

function checkCron(node: SourceNode | undefined, { source, problems }: Checking): void {
  const pattern = textOf(node);
  const problem = pattern === undefined ? undefined : cronProblem(pattern);
  if (node === undefined || problem === undefined) return;
  problems.add('PB413', source.of(node), `${JSON.stringify(pattern)} is no time: ${problem}`, {
    hint: 'as in "15 2 * * *": every day at 2:15',
  });
}

function checkZone(node: SourceNode | undefined, { source, problems }: Checking): void {
  const zone = textOf(node);
  if (node === undefined || zone === undefined || isZone(zone)) return;
  problems.add('PB413', source.of(node), `${JSON.stringify(zone)} is no time zone`, {
    hint: 'write an offset such as +08:00 or a name such as Asia/Singapore',
    ...didYouMean(nearWord(zone, Intl.supportedValuesOf('timeZone'))),
  });
}

function isZone(zone: string): boolean {
  const [, hours, minutes] = /^[+-](\d{2}):(\d{2})$/.exec(zone) ?? [];
  if (hours !== undefined) return Number(hours) <= 14 && Number(minutes) < 60;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function checkSteps(
  node: SourceNode | undefined,
  steps: ReadonlyMap<string, Step>,
  { source, problems }: Checking,
): void {
  if (node?.kind !== 'list') return;
  const chosen = new Set(node.items.map(textOf));
  for (const item of node.items) {
    const id = textOf(item);
    if (id === undefined) continue;
    const step = steps.get(id);
    if (step === undefined) {
      problems.add(
        'PB413',
        source.of(item),
        `there is no step ${JSON.stringify(id)}`,
        didYouMean(nearWord(id, steps.keys())),
      );
      continue;
    }
    const left = expressionsOf(step)
      .flatMap(({ references }) => references)
      .find(({ root, path }) => root === 'steps' && !chosen.has(path[0]));
    if (left === undefined) continue;
    const message = `${id} looks at ${left.path[0]}, which this schedule leaves out`;
    problems.add('PB413', source.of(item), message, { hint: `add ${left.path[0]} to only` });
  }
}
