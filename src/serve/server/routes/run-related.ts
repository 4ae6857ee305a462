/** What belongs to a run: its playbook, its plan, other runs of the playbook, and what differs from them. */
import { isJsonRecord, type Json } from '../../../base/json.ts';
import { plainText } from '../../../base/text.ts';
import { list, optional, record, text, type Infer } from '../../../exchange/api/schema.ts';
import { runsDiffOutput } from '../../../app/documents/run-lists.ts';
import type { Entry } from '../../../engine/journal/entry.ts';
import { changesSinceRun } from '../../../report/plan-since-run.ts';
import { changedLines } from '../../../engine/approval/offer.ts';
import { runDiff } from '../../../report/run-diff.ts';
import { planFor } from '../actions/plan-for.ts';
import type { Desk } from '../desk.ts';
import { NotFoundError } from '../failure.ts';
import { playbookFiles } from '../playbooks/checked.ts';
import { deskOf } from '../route-context.ts';
import { exactRecord, parameter, reads, runParameters } from '../route.ts';
import { firstAtOrBefore, rowsIn, type Selected } from '../run-filter.ts';
import { runRow, type RunRow } from '../run-row.ts';

const typedInput = record({
  name: text(),
  value: text({ description: 'As it would be typed' }),
});

const siblingsMax = 50; // runs; the list of runs has all

export const runRelated = reads({
  title: 'Show what belongs to a run: its playbook, its plan, its inputs, and other runs',
  role: 'viewer',
  parameters: exactRecord(runParameters),
  answer: record({
    file: optional(text({ description: 'The playbook, if this desk still has it' })),
    plan: optional(text({ description: 'The plan that was run, if it is still saved' })),
    inputs: list(typedInput),
    before: optional(text({ description: 'The run of the same playbook before it' })),
    after: optional(text({ description: 'The one after it' })),
    reused: optional(text({ description: 'The run whose results it took over, if it is here' })),
    siblings: list(runRow, { description: 'Other runs of the playbook, the newest first' }),
  }),
  handle: async ({ parameters }, server) => {
    const desk = deskOf(server, parameters.run, parameters.desk);
    const { started } = await begun(desk, parameters.run);
    const own = desk.runs.row(parameters.run);
    const same = desk.runs.select(own && { playbook: own.playbook });
    const at = placeOf(own, same);
    const [after, before] = [rowsIn(same, at - 1, at), rowsIn(same, at + 1, at + 2)].map(
      ([row]) => row,
    );
    const { file } = started.playbook;
    const reused = started.reused?.run;
    const isHere = (await playbookFiles(desk)).includes(file);
    const plan = await savedPlan(desk, started.plan);
    return {
      ...(isHere && { file: plainText(file, 300) }),
      ...(plan !== undefined && { plan }),
      inputs: inputsOf(started.inputs),
      ...(before && { before: before.run }),
      ...(after && { after: after.run }),
      ...(reused !== undefined && desk.has(reused) && { reused }),
      siblings: rowsIn(same, 0, siblingsMax + 1)
        .filter((_row, index) => index !== at)
        .slice(0, siblingsMax),
    };
  },
});

export const runCompared = reads({
  title: 'Compare a run with an earlier one, as `runs diff` does',
  role: 'viewer',
  parameters: exactRecord({ ...runParameters, with: parameter('The earlier run', 64) }),
  answer: runsDiffOutput,
  handle: async ({ parameters }, server) => {
    const desk = deskOf(server, parameters.run, parameters.desk);
    const [was, is] = [await begun(desk, parameters.with), await begun(desk, parameters.run)];
    return { version: 1 as const, ...runDiff(was.entries, is.entries) };
  },
});

export const planSinceRun = reads({
  title: 'Show what a plan would do differently from an earlier run',
  role: 'viewer',
  parameters: exactRecord({
    ...runParameters,
    plan: text({ description: 'The plan', pattern: '^p-[0-9a-f]{8}$', maxLength: 10 }),
  }),
  answer: record({ changes: changedLines }),
  handle: async ({ parameters }, server) => {
    const desk = deskOf(server, parameters.run, parameters.desk);
    const { entries } = await begun(desk, parameters.run);
    return { changes: changesSinceRun(entries, await planFor(parameters.plan, desk)) };
  },
});

/** The place of a run; before all others, if it is not among them. */
function placeOf(own: RunRow | undefined, runs: Selected): number {
  if (own === undefined) return -1;
  for (let at = firstAtOrBefore(runs, own.startedAt); at < runs.length; at++) {
    if (runs.startedAt(at) < own.startedAt) break;
    if (runs.row(at).run === own.run) return at;
  }
  return -1;
}

type Started = Extract<Entry, { readonly kind: 'started' }>;

/** The entries of a run, and its start. @throws NotFoundError if it has none */
async function begun(
  desk: Desk,
  run: string,
): Promise<{ readonly entries: readonly Entry[]; readonly started: Started }> {
  const entries = desk.has(run) ? await desk.entries(run) : [];
  const [started] = entries;
  if (started?.kind === 'started') return { entries, started };
  throw new NotFoundError(`no run ${plainText(run, 64)} that began`, 'see `deskhand runs list`');
}

async function savedPlan(desk: Desk, plan: string | undefined): Promise<string | undefined> {
  if (plan === undefined) return undefined;
  try {
    return (await planFor(plan, desk)).id;
  } catch {
    return undefined; // it was removed, or is not of this version: its page cannot be shown
  }
}

/** Inputs as a person types them: all but texts as JSON. */
function inputsOf(inputs: Json | undefined): readonly Infer<typeof typedInput>[] {
  if (inputs === undefined || !isJsonRecord(inputs)) return [];
  return Object.entries(inputs).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [{ name, value: text }];
  });
}
