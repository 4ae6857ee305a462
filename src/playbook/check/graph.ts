/** Steps as a graph: ids that tell them apart, needs that exist, an order that satisfies them. */
import { nearWord } from '../../base/text.ts';
import type { Playbook, Step } from '../playbook.ts';
import { didYouMean, type Problems } from '../problems.ts';

/** Steps in an order that honours `needs` and otherwise the file. */
export function ordered(steps: readonly Step[]): readonly Step[] {
  const done = new Set<string>();
  const left = [...steps];
  const result: Step[] = [];
  while (left.length > 0) {
    const at = left.findIndex((step) => step.needs.every((id) => done.has(id) || !has(steps, id)));
    const [next] = left.splice(Math.max(0, at), 1);
    if (next === undefined) break;
    result.push(next);
    done.add(next.id);
  }
  return result;
}

export function checkGraph(playbook: Playbook, problems: Problems): void {
  const { steps } = playbook;
  const seen = new Map<string, Step>();
  for (const step of [...steps, ...playbook.onFailure, ...playbook.finally]) {
    const earlier = seen.get(step.id);
    if (earlier !== undefined) {
      problems.add(
        'PB401',
        step.at,
        `the id ${JSON.stringify(step.id)} stands here and in line ${earlier.at.start.line}`,
      );
    }
    seen.set(step.id, step);
    for (const id of step.needs) {
      if (has(steps, id)) continue;
      const near = nearWord(
        id,
        steps.map((other) => other.id),
      );
      problems.add(
        'PB402',
        step.at,
        `${step.id} needs ${JSON.stringify(id)}, and there is no such step`,
        didYouMean(near),
      );
    }
  }
  for (const step of steps) {
    const way = wayBack(step, steps);
    if (way) problems.add('PB403', step.at, `steps need each other: ${way.join(' → ')}`);
  }
  checkFiles(steps, problems);
}

/** The way from a step through its needs back to itself; the first step of the circle tells it. */
function wayBack(start: Step, steps: readonly Step[]): readonly string[] | undefined {
  const visited = new Set<string>();
  const visit = (step: Step, way: readonly string[]): readonly string[] | undefined => {
    for (const id of step.needs) {
      if (id === start.id) return [...way, id];
      const next = steps.find((other) => other.id === id);
      if (next === undefined || visited.has(id)) continue;
      visited.add(id);
      const found = visit(next, [...way, id]);
      if (found) return found;
    }
    return undefined;
  };
  const way = visit(start, [start.id]);
  const first = way && steps.find((step) => way.includes(step.id));
  return first?.id === start.id ? way : undefined;
}

function checkFiles(steps: readonly Step[], problems: Problems): void {
  const files = new Map<string, Step>();
  for (const step of steps) {
    const file = step.write?.file;
    if (file?.kind !== 'literal' || typeof file.value !== 'string') continue;
    if (/^\/|(^|\/)\.\.(\/|$)|(^|\/)\./.test(file.value)) {
      problems.add(
        'PB407',
        file.at,
        `${JSON.stringify(file.value)} is not a name under the workspace`,
      );
    }
    const earlier = files.get(file.value);
    if (earlier) {
      problems.add('PB404', file.at, `${file.value} is written by ${earlier.id} as well`);
    }
    files.set(file.value, step);
  }
}

function has(steps: readonly Step[], id: string): boolean {
  return steps.some((step) => step.id === id);
}
