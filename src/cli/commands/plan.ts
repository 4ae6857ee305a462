/** `plan`: what a run would do, from real reads; saved, so that it can be reviewed and run. */
import { dirname, relative } from 'node:path';
import process from 'node:process';
import { makeFolders } from '../../base/folder.ts';
import { lengthIn, type Millis } from '../../base/clock.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import type { Profile } from '../../config/profile.ts';
import { plainText, spoken } from '../../base/text.ts';
import { savePlan } from '../../plan/file.ts';
import type { Plan } from '../../plan/plan.ts';
import { planMarkdown } from '../../report/markdown/plan.ts';
import { slotRunId } from '../../schedule/slot.ts';
import { chosenSteps } from '../chosen.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { appendToPage, writeJson } from '../papers.ts';
import { givenInputs, loadGiven } from '../playbooks.ts';
import { prepare } from '../planning.ts';
import { stoppable } from '../running.ts';
import { planText } from '../screens/plan.ts';
import { syncState } from '../state.ts';
import { configOf, openWork, profileOf } from '../work.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const format = outputOf(context, ['text', 'json', 'markdown']);
  const whole = await loadGiven(given.words[0] ?? '', context);
  const { playbook, slot } = chosenSteps(whole, given);
  const values = await givenInputs(playbook, given, context);
  const config = await configOf(context);
  const profile = profileOf(context, config, playbook.account);
  const isOffline = given.isOn('offline');
  const session = await openWork(context, config, profile, {
    needsKey: !isOffline,
    isOffline,
  });
  const { stateDir } = config;
  const named = slot && { ...slot, runId: slotRunId(session.destination, playbook.name, slot) };
  const { plan } = await stoppable(context, async ({ drain: signal }) => {
    try {
      if (!isOffline) await syncState(config, context, session.destination);
      return await prepare(
        {
          playbook,
          given: values,
          session,
          stateDir,
          isOffline,
          ...lastsIn(given, profile),
          ...named,
          signal,
        },
        context,
      );
    } finally {
      await session.close();
    }
  });
  // One that cannot be run is not kept: the folder may be a stranger's, and lead anywhere.
  const file = isOffline ? undefined : await savePlan(stateDir, plan);
  const copy = given.text('out');
  if (copy !== undefined) {
    await makeFolders(dirname(copy));
    await savePlan(stateDir, plan, copy);
  }
  await writeJson(plan, context);
  await appendToPage(planMarkdown(plan), context);
  show(plan, format, given.isOn('full'), context);
  if (format === 'text') tellNext(plan, copy ?? file, context);
  if (plan.guards.some(({ isKept }) => !isKept)) return exits.heldBack;
  return given.isOn('exit-code') && hasChanges(plan) ? exits.changes : exits.done;
}

/** `--expires`; the profile's own word is the longest. @throws UsageError */
function lastsIn(given: Given, { name, plans }: Profile): { readonly lasts?: Millis } {
  const text = given.text('expires');
  if (text === undefined) return {};
  const lasts = lengthIn(text);
  if (lasts === undefined || lasts === 0) {
    throw new UsageError('--expires is a length of time', 'such as 90s, 15m, 2h or 3d');
  }
  if (lasts <= (plans.lasts ?? Infinity)) return { lasts };
  throw new UsageError(
    `plans of profile ${name} are good for ${spoken(plans.lasts ?? 0)} at most`,
    'give a shorter --expires, or have the profile changed by whoever owns it',
  );
}

function show(
  plan: Plan,
  format: 'text' | 'json' | 'markdown',
  isFull: boolean,
  { terminal: { out } }: Context,
): void {
  switch (format) {
    case 'json':
      return out.line(JSON.stringify(plan));
    case 'markdown':
      return out.line(planMarkdown(plan).trimEnd());
    case 'text':
      return out.line(planText(plan, { isFull }, out.look).join('\n'));
  }
}

function tellNext(plan: Plan, file: string | undefined, { terminal: { out } }: Context): void {
  const { paint } = out.look;
  const isBroken = plan.guards.some(({ isKept }) => !isKept);
  const again = `deskhand plan ${plan.playbook.file}`;
  out.line();
  if (file === undefined) return out.line(goodFor(plan));
  out.line(`saved ${plainText(shown(file))}   ${goodFor(plan)}`);
  if (plan.isOffline) return;
  if (isBroken) out.line(`${paint('strong', 'Next')}  mend it, then ${paint('command', again)}`);
  else out.line(`${paint('strong', 'Next')}  ${paint('command', `deskhand run ${shown(file)}`)}`);
}

function goodFor({ observedAt, expiresAt, isOffline }: Plan): string {
  if (isOffline) return 'made to be read: it cannot be run';
  return `good for ${spoken(expiresAt - observedAt)} and one run`;
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
