/** `plan`: what a run would do, from real reads; saved, so that it can be reviewed and run. */
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { lengthIn, type Millis } from '../../base/clock.ts';
import { DeskhandError, exits, UsageError, type ExitCode } from '../../base/error.ts';
import { makeFolders } from '../../base/folder.ts';
import { redactor } from '../../base/secret.ts';
import { plainText, spoken } from '../../base/text.ts';
import type { Profile } from '../../config/profile.ts';
import { savePlan } from '../../plan/file.ts';
import type { Plan } from '../../plan/plan.ts';
import { planMarkdown } from '../../report/markdown/plan.ts';
import { plansMarkdown, type Planned } from '../../report/markdown/plans.ts';
import { slotRunId } from '../../schedule/slot.ts';
import { askedFor } from '../approval/signed.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { playbooksSince } from '../given/changed.ts';
import { chosenSteps } from '../given/chosen.ts';
import { givenInputs, loadGiven } from '../given/playbooks.ts';
import { StoppedError } from '../running/interrupt.ts';
import { appendToPage, writeJson } from '../running/papers.ts';
import { stoppable } from '../running/perform.ts';
import { prepare } from '../running/planning.ts';
import { syncState } from '../running/state.ts';
import { configOf, openWork, profileOf } from '../running/work.ts';
import { workflowCommand } from '../screens/annotation.ts';
import { planText } from '../screens/plan.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const format = outputOf(context, ['text', 'json', 'markdown']);
  const since = given.text('changed-since');
  const [file] = given.words;
  if (since !== undefined) {
    refuseBeside(given);
    return planChanged(since, format, context, given);
  }
  if (file === undefined) throw new UsageError('<file> is missing', 'see «deskhand plan --help»');
  if (given.text('out-dir') !== undefined) {
    throw new UsageError('--out-dir is for --changed-since', 'name a file for one plan: --out');
  }
  const plan = await planned(file, context, given);
  const saved = await save(plan, given.text('out'), context);
  await writeJson(plan, context);
  await appendToPage(planMarkdown(plan), context);
  switch (format) {
    case 'json':
      context.terminal.out.line(JSON.stringify(plan));
      break;
    case 'markdown':
      context.terminal.out.line(planMarkdown(plan).trimEnd());
      break;
    case 'text':
      await tell(plan, saved, given, context);
  }
  return exitOf([{ file, plan }], given);
}

/** Every playbook a branch touches; one that cannot be planned does not hide the others. */
async function planChanged(
  since: string,
  format: 'text' | 'json' | 'markdown',
  context: Context,
  given: Given,
): Promise<ExitCode> {
  const { out, err, env } = context.terminal;
  const all: (Planned & { readonly exit?: ExitCode })[] = [];
  for (const file of await playbooksSince(since, env)) {
    try {
      const plan = await planned(file, context, given);
      const folder = given.text('out-dir');
      const copy = folder && join(folder, `${plan.playbook.name}.json`);
      const saved = await save(plan, copy, context);
      all.push({ file, plan });
      if (format === 'text') await tell(plan, saved, given, context);
      if (format === 'text') out.line();
    } catch (error) {
      if (!(error instanceof DeskhandError) || error.actor === 'ours') throw error;
      if (error instanceof StoppedError) throw error;
      const trouble = redactor(context.secrets)(error.message);
      err.line(`${err.look.paint('bad', `error[${error.code}]`)} ${plainText(file)}: ${trouble}`);
      all.push({ file, trouble, exit: error.exit });
    }
  }
  const markdown = plansMarkdown(all, since);
  const json = { version: 1, since, plans: all.map(({ exit: _exit, ...told }) => told) };
  await writeJson(json, context);
  await appendToPage(markdown, context);
  if (format === 'json') out.line(JSON.stringify(json));
  if (format === 'markdown') out.line(markdown.trimEnd());
  if (format === 'text' && all.length === 0) {
    out.line(`no playbook is touched since ${plainText(since)}; nothing was planned`);
  }
  return exitOf(all, given);
}

/** @throws UsageError for what names one playbook or one plan */
function refuseBeside(given: Given): void {
  if (given.words.length > 0) {
    throw new UsageError('--changed-since finds the playbooks itself', 'name none beside it');
  }
  if (given.text('out') === undefined) return;
  throw new UsageError('--out is for one plan', 'with --changed-since, name a folder: --out-dir');
}

/** What went wrong first, then what would change. */
function exitOf(all: readonly (Planned & { readonly exit?: ExitCode })[], given: Given): ExitCode {
  const failed = all.find(({ exit }) => exit !== undefined)?.exit;
  if (failed !== undefined) return failed;
  const plans = all.flatMap(({ plan }) => plan ?? []);
  if (plans.some(isBroken)) return exits.heldBack;
  return given.isOn('exit-code') && plans.some(hasChanges) ? exits.changes : exits.done;
}

async function planned(file: string, context: Context, given: Given): Promise<Plan> {
  const whole = await loadGiven(file, context);
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
  const lasts = lastsIn(given, profile);
  const job = { playbook, given: values, session, stateDir, isOffline, ...lasts, ...named };
  return stoppable(context, async ({ drain: signal }) => {
    try {
      if (!isOffline) await syncState(config, context, session.destination);
      const { plan } = await prepare({ ...job, signal }, context);
      return plan;
    } finally {
      await session.close();
    }
  });
}

/**
 * Beside the runs, and where it was asked for. One that cannot be run is not kept beside them: the
 * folder may be a stranger's, and lead anywhere.
 * @returns the path to name
 */
async function save(
  plan: Plan,
  copy: string | undefined,
  context: Context,
): Promise<string | undefined> {
  const { stateDir } = await configOf(context);
  const file = plan.isOffline ? undefined : await savePlan(stateDir, plan);
  if (copy === undefined) return file;
  await makeFolders(dirname(copy));
  return savePlan(stateDir, plan, copy);
}

async function tell(
  plan: Plan,
  saved: string | undefined,
  given: Given,
  context: Context,
): Promise<void> {
  const { out, env } = context.terminal;
  out.line(planText(plan, { isFull: given.isOn('full') }, out.look).join('\n'));
  await tellNext(plan, saved, context);
  if (env['GITHUB_ACTIONS'] !== 'true') return;
  for (const { guard, message } of plan.guards.filter(({ isKept }) => !isKept)) {
    out.line(
      workflowCommand('error', {
        file: plan.playbook.file,
        line: 1,
        title: `guard ${guard}`,
        message,
      }),
    );
  }
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

async function tellNext(plan: Plan, file: string | undefined, context: Context): Promise<void> {
  const { out } = context.terminal;
  const { paint } = out.look;
  out.line();
  if (file === undefined) return out.line(goodFor(plan));
  out.line(`saved ${plainText(shown(file))}   ${goodFor(plan)}`);
  if (plan.isOffline) return;
  const isSigned = askedFor(plan, await configOf(context)).length > 0;
  const command = (words: string): string => paint('command', `deskhand ${words}`);
  const run = command(`run ${shown(file)}`);
  const next = isBroken(plan)
    ? `mend it, then ${command(`plan ${plan.playbook.file}`)}`
    : isSigned
      ? `have it signed with ${command(`approve ${shown(file)}`)}, then ${run}`
      : run;
  out.line(`${paint('strong', 'Next')}  ${next}`);
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

function isBroken({ guards }: Plan): boolean {
  return guards.some(({ isKept }) => !isKept);
}

function hasChanges({ totals: { create, set, later = 0 } }: Plan): boolean {
  return create + set + later > 0;
}
