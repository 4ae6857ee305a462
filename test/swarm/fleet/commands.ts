/** What a person types for each word of a story. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run as plan } from '../../../src/cli/commands/plan.ts';
import { run as resolve } from '../../../src/cli/commands/resolve.ts';
import { run as resume } from '../../../src/cli/commands/resume.ts';
import { run as runIt } from '../../../src/cli/commands/run.ts';
import { run as unlock } from '../../../src/cli/commands/runs-unlock.ts';
import type { Context, Args, Run } from '../../../src/cli/context.ts';
import { doubtsIn } from '../../../src/engine/effects/doubts.ts';
import { givenOf, type Command, type Machine } from './machine.ts';
import { written, type Draft, type Edition } from './playbooks.ts';
import type { Story, Word } from './story.ts';

type Typed = Omit<Command, 'way'>;

/** Prices of a run's own orders begin here. */
export function baseOf(run: number): number {
  return 20_000 + 1_000 * run;
}

/** The sub-account of a run. */
export function subOf(run: number): string {
  return `fleet${'abc'.charAt(run)}`;
}

/** Begins a run, with a plan that is saved and approved where it needs one. */
export function beginning(
  run: number,
  { draft, edition, isPlanned }: { draft: Draft; edition: Edition; isPlanned: boolean },
  { target }: Story,
  machine: Machine,
): Typed {
  const file = `${draft.name}.yaml`;
  const flags = { var: [`base=${baseOf(run)}`, `sub=${subOf(run)}`] };
  const prepare = (): void => {
    const { text, includes } = written(draft, edition);
    machine.write(file, text);
    for (const [name, included] of Object.entries(includes)) machine.write(name, included);
  };
  const begun = isPlanned || target === 'live' ? planFirst(run, machine) : runIt;
  return { run: begun, words: [file], flags, isJson: true, prepare };
}

/** Where a person keeps the plan of a run. */
function planFile(run: number, machine: Machine): string {
  return join(machine.folder, `plan-${run}.json`);
}

/** Makes a plan, keeps it in a file, and runs that file as it is. */
function planFirst(run: number, machine: Machine): Run {
  return async (context, given) => {
    const out = planFile(run, machine);
    const quiet = { ...context, globals: { ...context.globals, output: 'text' } };
    const code = await plan(quiet, withFlags(given, { out }));
    return code === 0 ? runPlan(out, context) : code;
  };
}

async function runPlan(path: string, context: Context): ReturnType<Run> {
  const id = /"id":\s*"(p-[0-9a-f]+)"/.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
  return runIt(context, givenOf([path], { approve: id }));
}

/** Everything else is said of a run that has begun. @returns nothing where there is nothing to say */
export function speaking(
  { kind, ...word }: Exclude<Word, { readonly kind: 'begin' }>,
  { run, id }: { readonly run: number; readonly id: string },
  machine: Machine,
  machines: readonly Machine[],
): Typed | undefined {
  switch (kind) {
    case 'resume':
      return { run: resume, words: [id], flags: { approve: id }, isJson: true };
    case 'unlock': {
      const givesUp = 'givesUp' in word && word.givesUp;
      const flags = { comment: 'it is gone', ...(givesUp && ({ 'give-up': true } as const)) };
      return { run: unlock, words: [id], flags, isJson: false };
    }
    case 'absent': {
      const [doubt] = doubtsIn(machine.runs().get(id) ?? []);
      if (doubt === undefined) return undefined;
      return { run: resolve, words: [id, doubt.address], flags: { absent: true }, isJson: false };
    }
    case 'again': {
      const path = planFile(run, machine);
      const found = machines.map((one) => planFile(run, one)).find((file) => existsSync(file));
      if (found === undefined) return undefined;
      if (found !== path) copyFileSync(found, path);
      return { run: (context) => runPlan(path, context), words: [], isJson: true };
    }
  }
}

type Flags = NonNullable<Command['flags']>;

function withFlags(given: Args, flags: Flags): Args {
  const own = givenOf([], flags);
  return { ...given, text: (flag) => own.text(flag) ?? given.text(flag) };
}
