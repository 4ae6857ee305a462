/** `plan`: what a run would do, from real reads; saved, so that it can be reviewed and run. */
import { mkdir } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import process from 'node:process';
import { exits, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { savePlan } from '../../plan/file.ts';
import type { Plan } from '../../plan/plan.ts';
import { planMarkdown } from '../../report/markdown/plan.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { appendToPage, writeJson } from '../papers.ts';
import { givenInputs, loadGiven } from '../playbooks.ts';
import { prepare } from '../planning.ts';
import { stoppable } from '../running.ts';
import { planText } from '../screens/plan.ts';
import { configOf, openWork, profileOf } from '../work.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const format = outputOf(context, ['text', 'json', 'markdown']);
  const playbook = await loadGiven(given.words[0] ?? '', context);
  const values = await givenInputs(playbook, given, context);
  const config = await configOf(context);
  const profile = profileOf(context, config, playbook.account);
  const isOffline = given.isOn('offline');
  const session = await openWork(context, config, profile, { needsKey: !isOffline });
  const { stateDir } = config;
  const { plan } = await stoppable(context, async ({ drain: signal }) => {
    try {
      return await prepare(
        { playbook, given: values, session, stateDir, isOffline, signal },
        context,
      );
    } finally {
      await session.close();
    }
  });
  const file = await savePlan(stateDir, plan);
  const copy = given.text('out');
  if (copy !== undefined) {
    await mkdir(dirname(copy), { recursive: true });
    await savePlan(stateDir, plan, copy);
  }
  await writeJson(plan, context);
  await appendToPage(planMarkdown(plan), context);
  show(plan, format, { isFull: given.isOn('full'), isOffline }, context);
  if (format === 'text') tellNext(plan, copy ?? file, context);
  if (plan.guards.some(({ isKept }) => !isKept)) return exits.heldBack;
  return given.isOn('exit-code') && hasChanges(plan) ? exits.changes : exits.done;
}

function show(
  plan: Plan,
  format: 'text' | 'json' | 'markdown',
  options: { readonly isFull: boolean; readonly isOffline: boolean },
  { terminal: { out } }: Context,
): void {
  switch (format) {
    case 'json':
      return out.line(JSON.stringify(plan));
    case 'markdown':
      return out.line(planMarkdown(plan).trimEnd());
    case 'text':
      return out.line(planText(plan, options, out.look).join('\n'));
  }
}

function tellNext(plan: Plan, file: string, { terminal: { out } }: Context): void {
  const { paint } = out.look;
  const isBroken = plan.guards.some(({ isKept }) => !isKept);
  const again = `deskhand plan ${plan.playbook.file}`;
  out.line();
  out.line(`saved ${plainText(shown(file))}`);
  if (isBroken) out.line(`${paint('strong', 'Next')}  mend it, then ${paint('command', again)}`);
  else out.line(`${paint('strong', 'Next')}  ${paint('command', `deskhand run ${shown(file)}`)}`);
}

/** A path as short as it can be typed here. */
function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}

function hasChanges({ totals, steps }: Plan): boolean {
  const isLater = steps.some(({ actions }) =>
    actions.some(({ change }) => change.kind === 'later'),
  );
  return totals.create + totals.set > 0 || isLater;
}
