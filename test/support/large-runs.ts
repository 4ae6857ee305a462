/** Runs of playbooks with steps that wait for each other, and of thousands of steps or items. */
import { sha256 } from '../../src/base/json.ts';
import type { Entry, Event } from '../../src/engine/journal/entry.ts';
import { loadPlaybook } from '../../src/language/load.ts';
import { started } from './desk-setup.ts';
import { done, tape, type Tape } from './tape.ts';

/** The start of a run of a playbook. @param steps the ids of those that were selected; default: all */
export function startOf(
  text: string,
  files: Readonly<Record<string, string>> = {},
  only?: string[],
): Event {
  const include = (name: string): string | undefined => files[name];
  const { playbook, problems } = loadPlaybook(text, 'a.yaml', { include });
  if (playbook === undefined) throw new Error(JSON.stringify(problems[0]));
  const steps = playbook.steps
    .filter(({ id }) => only?.includes(id) ?? true)
    .map(({ id, uses, at }) => ({ id, uses, line: at.start.line }));
  const includes = Object.entries(files).map(([file, own]) => ({
    file,
    digest: sha256(own),
    text: own,
  }));
  const kept = { name: playbook.name, file: 'a.yaml', digest: sha256(text), text, includes };
  return { ...started('r-1'), playbook: kept, steps } as Event;
}

export const wait = (id: string, rest = ''): string =>
  `  - { id: ${id}, uses: wait, with: { for: 1s }${rest} }\n`;

export function ranStep(on: Tape, step: string, status: 'done' | 'failed' = 'done'): Tape {
  on.add({ kind: 'opened', step, uses: 'wait' }).wait(1_000);
  if (status === 'done') {
    on.add({ kind: 'settled', address: step, outcome: done({ waited: 1_000 }) });
  }
  return on.add({ kind: 'closed', step, status });
}

export const large = 4_000;

function largePlaybook(): string {
  const steps = Array.from({ length: large }, (_, at) =>
    wait(`s${at}`, at === 0 ? '' : `, needs: [s${Math.max(0, at - 1 - (at % 7))}]`),
  );
  return `playbook: 1\nname: large\nparallel: 8\nsteps:\n${steps.join('')}`;
}

/** A run of 4,000 steps: the thousandth failed. */
export function manySteps(): Entry[] {
  const on = tape().add(startOf(largePlaybook()));
  for (let at = 0; at < 1_000; at++) ranStep(on, `s${at}`, at === 999 ? 'failed' : 'done');
  return on.add({ kind: 'finished', status: 'stopped', exit: 1, outputs: null }).entries;
}

export const many = 10_000;
export const keyOf = (at: number): string => `k${String(at).padStart(5, '0')}`;

/** A for-each of 10,000 items: one failed, one slow, the last 100 not begun. */
export function manyItems(): Entry[] {
  const items = Array.from({ length: many }, (_, at) => keyOf(at));
  const text = `playbook: 1\nname: many\nsteps:\n  - id: items\n    for-each: [${items.join(', ')}]\n    uses: wait\n    with: { for: 1ms }\n`;
  const on = tape().add(startOf(text), { kind: 'opened', step: 'items', items });
  for (const [at, each] of items.slice(0, -100).entries()) {
    const address = `items[${each}]`;
    on.add({ kind: 'clock', address, time: 0, ms: 1 }).wait(at === 4_321 ? 5_000 : 1);
    const outcome =
      at === 7_777
        ? ({ kind: 'failed', code: 'E1', message: 'it broke', exit: 1 } as const)
        : done({ waited: 1 });
    on.add({ kind: 'settled', address, outcome });
  }
  return on.entries;
}
