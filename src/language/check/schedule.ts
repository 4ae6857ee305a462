/** Checks a schedule: valid times, a valid time zone, and existing steps. */
import { lengthIn } from '../../base/clock.ts';
import { cronProblem } from '../cron.ts';
import { awaitedBy } from '../expressions.ts';
import type { Playbook, Step } from '../playbook.ts';
import { type Problems } from '../problems.ts';
import { childOf, textOf, type SourceNode } from '../text/node.ts';
import type { SourceText } from '../text/positions.ts';
import { zoneHint, zoneOf } from '../zone.ts';

interface Checking {
  readonly source: SourceText;
  readonly problems: Problems;
}

export function checkSchedule(playbook: Playbook, tree: SourceNode, checking: Checking): void {
  const entries = childOf(tree, 'schedule');
  if (entries?.kind !== 'list') return;
  if (entries.items.length > schedulesMax) {
    const message = `${entries.items.length} schedules; at most ${schedulesMax} are allowed`;
    checking.problems.add('PB413', checking.source.of(entries), message, {
      hint: 'one pattern can have many times: "0 8-16 * * 1-5"',
    });
    return;
  }
  const steps = new Map(playbook.steps.map((step) => [step.id, step]));
  for (const entry of entries.items) {
    checkCron(childOf(entry, 'cron'), checking);
    checkZone(childOf(entry, 'timezone'), checking);
    for (const [key, most] of Object.entries(longest)) {
      checkLength(childOf(entry, key), key, most, checking);
    }
    checkSteps(childOf(entry, 'only'), steps, checking);
  }
}

const schedulesMax = 100; // of one playbook; each is searched through centuries

/**
 * The maximum durations of a schedule. Longer ones would give endless searches, or runs for forgotten
 * occurrences.
 */
const longest = { late: '1d', jitter: '1d', within: '31d' } as const;
const lateLeast = '1m'; // a scheduler checks once a minute

function checkLength(
  node: SourceNode | undefined,
  key: string,
  most: string,
  { source, problems }: Checking,
): void {
  const length = lengthIn(textOf(node) ?? '');
  if (node === undefined || length === undefined) return;
  if (length > (lengthIn(most) ?? 0)) {
    problems.add('PB413', source.of(node), `${key} is at most ${most}`);
  } else if (key === 'late' && length < (lengthIn(lateLeast) ?? 0)) {
    problems.add('PB413', source.of(node), `${key} is at least ${lateLeast}`);
  }
}

function checkCron(node: SourceNode | undefined, { source, problems }: Checking): void {
  const pattern = textOf(node);
  const problem = pattern === undefined ? undefined : cronProblem(pattern);
  if (node === undefined || problem === undefined) return;
  problems.add('PB413', source.of(node), `${JSON.stringify(pattern)} is not a time: ${problem}`, {
    hint: 'as in "15 2 * * *": every day at 2:15',
  });
}

function checkZone(node: SourceNode | undefined, { source, problems }: Checking): void {
  const zone = textOf(node);
  if (node === undefined || zone === undefined || zoneOf(zone) !== undefined) return;
  problems.add('PB413', source.of(node), `${JSON.stringify(zone)} is not a time zone`, {
    hint: zoneHint(zone),
  });
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
        `unknown step ${JSON.stringify(id)}`,
        problems.suggest(id, steps.keys()),
      );
      continue;
    }
    const left = [...awaitedBy(step)].find((other) => !chosen.has(other));
    if (left === undefined) continue;
    const verb = step.needs.includes(left) ? 'needs' : 'looks at';
    const message = `${id} ${verb} ${left}, which this schedule omits`;
    problems.add('PB413', source.of(item), message, { hint: `add ${left} to only` });
  }
}
