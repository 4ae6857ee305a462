/** `plan`: the effects of a run, from real reads; saved for review and for its run. */
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { DeskhandError, exits, UsageError, type ExitCode } from '../../base/error.ts';
import { makeFolders } from '../../base/folder.ts';
import { isJsonRecord, type Json } from '../../base/json.ts';
import { redactor } from '../../base/secret.ts';
import { plainText, spoken, shellWord } from '../../base/text.ts';
import { mayWrite } from '../../engine/plan/effect.ts';
import { savePlan } from '../../engine/plan/file.ts';
import type { Config } from '../../app/config/load.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { planMarkdown } from '../../report/markdown/plan-comment.ts';
import { plansMarkdown, type Planned } from '../../report/markdown/branch-plans.ts';
import { committedFacts, committedLines, type CommittedPlan } from '../../report/committed-plan.ts';
import { sinceApproved, type Approved } from '../../report/plan-changes.ts';
import { waysOn } from '../../report/unfinished-runs.ts';
import { boundHint, unboundedIn } from '../../report/unknown-orders.ts';
import { approvedLast } from '../../app/approval/last.ts';
import { askedFor } from '../../app/approval/asked.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { choiceIn } from '../args/choice.ts';
import { givenWords } from '../args/given.ts';
import { outsideCheckout } from '../../app/machine/checkout.ts';
import { givenInputs, loadArguments } from '../args/playbook-argument.ts';
import { isQueued, waitIn } from '../args/queued.ts';
import { StoppedError } from '../../app/machine/interrupt.ts';
import { appendToPage, writeJson } from '../running/documents.ts';
import { newPlan } from '../../app/planning/new-plan.ts';
import { configOf, configToRead, profileOf } from '../../app/config/opened.ts';
import { workflowCommand } from '../../report/terminal/annotation.ts';
import { planText } from '../../report/terminal/plan-screen.ts';
import { nextLines } from '../../report/terminal/summary.ts';
import { unsignedAmong } from '../../app/worker/served.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const format = outputOf(context, ['text', 'json', 'markdown']);
  const since = args.text('changed-since');
  const [file] = args.positionals;
  if (since !== undefined) {
    refuseBeside(args);
    return planChanged(since, format, context, args);
  }
  if (file === undefined) throw new UsageError('<file> is missing', 'see `deskhand plan --help`');
  if (args.text('out-dir') !== undefined) {
    throw new UsageError('--out-dir is for --changed-since', 'name a file for one plan: --out');
  }
  const plan = await planned(file, context, args);
  const saved = await save(plan, args.text('out'), context);
  const last = await approvedLast(plan, await configToRead(context), context);
  const json = { ...plan, ...sinceApproved(plan, last) };
  await writeJson(json, context);
  await appendToPage(() => planMarkdown(plan, last), context);
  switch (format) {
    case 'json':
      context.terminal.out.json(json);
      break;
    case 'markdown':
      context.terminal.out.line(planMarkdown(plan, last).trimEnd());
      break;
    case 'text':
      await print({ plan, saved, last }, args, context);
  }
  return exitOf([{ file, plan }], args, await configToRead(context));
}

/** Plans every playbook a branch changes; one that cannot be planned does not hide the others. */
async function planChanged(
  since: string,
  format: 'text' | 'json' | 'markdown',
  context: Context,
  args: Args,
): Promise<ExitCode> {
  const { out, err, env } = context.terminal;
  const { playbooksSince } = await import('../args/changed.ts');
  const { committedPlan, plansSince } = await import('../../app/approval/branch-plans.ts');
  const all: (Planned & { readonly exit?: ExitCode })[] = [];
  const files = await plansSince(since, context);
  const own = files.flatMap(({ plan }) => plan?.playbook.file ?? []);
  for (const file of [...new Set([...(await playbooksSince(since, env)), ...own])].toSorted()) {
    const here = files.filter(({ plan }) => plan?.playbook.file === file);
    const isChecked = !args.isOn('offline') && !isQueued(args);
    const committed: CommittedPlan[] = [];
    try {
      const config = await configToRead(context);
      for (const each of here) {
        committed.push(await committedPlan(each, { isChecked }, config, context));
      }
      // The inputs of the committed plan, so that the two plans can be compared.
      const plan = await planned(file, context, args, here[0]?.plan?.inputs);
      const folder = args.text('out-dir');
      const copy = folder && join(folder, `${plan.playbook.name}.json`);
      const saved = await save(plan, copy, context);
      const last = await approvedLast(plan, await configToRead(context), context);
      all.push({ file, plan, last, committed });
      if (format === 'text') await print({ plan, saved, last }, args, context);
      if (format === 'text') out.line(committedLines(committed, plan).join('\n'));
    } catch (error) {
      if (!(error instanceof DeskhandError) || error.actor === 'ours') throw error;
      if (error instanceof StoppedError) throw error;
      const trouble = redactor(context.secrets)(error.message);
      err.line(`${err.theme.paint('bad', `error[${error.code}]`)} ${plainText(file)}: ${trouble}`);
      all.push({ file, trouble, committed, exit: error.exit });
    }
  }
  for (const { file, trouble } of files) if (trouble !== undefined) all.push({ file, trouble });
  const markdown = plansMarkdown(all, since);
  const json = {
    version: 1,
    since,
    plans: all.map(({ exit: _exit, last, committed = [], ...planned }) => {
      const beside = committed.map((each) => committedFacts(each, planned.plan));
      return {
        ...planned,
        ...(planned.plan && sinceApproved(planned.plan, last)),
        ...(beside.length > 0 && { committed: beside }),
      };
    }),
  };
  await writeJson(json, context);
  await appendToPage(() => markdown, context);
  if (format === 'json') out.json(json);
  if (format === 'markdown') out.line(markdown.trimEnd());
  if (format === 'text' && all.length === 0) {
    out.line(`no playbook changed since ${plainText(since)}; nothing was planned`);
  }
  return exitOf(all, args, await configToRead(context));
}

/** Refuses flags of a single playbook or plan. @throws UsageError */
function refuseBeside(args: Args): void {
  if (choiceIn(args).reuse) throw new UsageError('--from is for one playbook, named by its file');
  if (args.positionals.length > 0) {
    throw new UsageError('--changed-since finds the playbooks itself', 'name no files with it');
  }
  if (args.text('out') === undefined) return;
  throw new UsageError('--out is for one plan', 'with --changed-since, name a folder: --out-dir');
}

/** The exit code of several plans: the first failure, otherwise whether there are changes. */
function exitOf(
  all: readonly (Planned & { readonly exit?: ExitCode })[],
  args: Args,
  config: Config,
): ExitCode {
  const failed = all.find(({ exit }) => exit !== undefined)?.exit;
  if (failed !== undefined) return failed;
  const plans = all.flatMap(({ plan }) => plan ?? []);
  if (plans.some((plan) => isBroken(plan) || isUnsignable(plan, config))) return exits.heldBack;
  return args.isOn('exit-code') && plans.some(hasChanges) ? exits.changes : exits.done;
}

/** Makes a plan. @param inputs those of a plan that it is compared with; flags replace them */
async function planned(
  file: string,
  context: Context,
  args: Args,
  inputs: Json = {},
): Promise<Plan> {
  const isOffline = args.isOn('offline');
  const isForWorker = isQueued(args);
  if (isForWorker && isOffline) {
    throw new UsageError('--offline makes no requests, so it needs no worker', 'omit --queue');
  }
  const config = await (isOffline ? configToRead : configOf)(context);
  const whole = await loadArguments(file, config, context);
  const before = Object.entries(isJsonRecord(inputs) ? inputs : {});
  const values = new Map([
    ...before.filter(([name]) => whole.inputs.has(name)),
    ...(await givenInputs(whole, args, context)),
  ]);
  const profile = profileOf(context, config, whole.account);
  const request = { whole, values, profile, choice: choiceIn(args), isOffline };
  if (isForWorker) {
    const { planQueued } = await import('../../app/queue/queued-plan.ts');
    const { queueScreen } = await import('../worker/report-unserved.ts');
    const wait = waitIn(args);
    const queueing = { screen: queueScreen(context), ...(wait !== undefined && { wait }) };
    return planQueued(request, queueing, config, context);
  }
  return newPlan(request, config, context);
}

/**
 * Writes the plan next to the runs, and to the requested file. A plan that cannot be run is not
 * written next to the runs, because the folder may be untrusted.
 * @returns the path to show
 */
async function save(
  plan: Plan,
  copy: string | undefined,
  context: Context,
): Promise<string | undefined> {
  const { stateDir } = await (plan.isOffline ? configToRead : configOf)(context);
  const file = plan.isOffline ? undefined : await savePlan(stateDir, plan);
  if (copy === undefined) return file;
  await makeFolders(dirname(copy));
  return savePlan(stateDir, plan, copy);
}

interface Made {
  readonly plan: Plan;
  /** The path of the saved plan. */
  readonly saved: string | undefined;
  readonly last: Approved | undefined;
}

async function print({ plan, saved, last }: Made, args: Args, context: Context): Promise<void> {
  const { out, env } = context.terminal;
  const isFull = args.isOn('full') || context.globals.isVerbose;
  out.line(planText(plan, { isFull, since: last }, out.theme).join('\n'));
  await printNext(plan, saved, args, context);
  if (env['GITHUB_ACTIONS'] !== 'true') return;
  for (const { guard, message } of plan.guards.filter(({ isKept }) => !isKept)) {
    const place = { file: plan.playbook.file, line: 1 };
    out.command(workflowCommand('error', { ...place, title: `guard ${guard}`, message }));
  }
}

async function printNext(
  plan: Plan,
  file: string | undefined,
  args: Args,
  context: Context,
): Promise<void> {
  const { out } = context.terminal;
  const { paint } = out.theme;
  out.line();
  if (file === undefined) return out.line(goodFor(plan));
  out.line(`saved ${plainText(shown(file))}   ${goodFor(plan)}`);
  if (plan.isOffline || outsideCheckout(plan.playbook.file) !== undefined) return;
  const [left] = plan.unfinished ?? [];
  if (left !== undefined) {
    const ways = waysOn(left, shown(file), isQueued(args));
    return out.line(nextLines(ways, out.theme).join('\n'));
  }
  const config = await configToRead(context);
  const isSigned = askedFor(plan, config).length > 0;
  if (isUnsignable(plan, config)) printUnsignable(plan, context);
  const command = (words: string): string => paint('command', `deskhand ${words}`);
  const isForWorker = isQueued(args) && mayQueue(plan, config);
  const where = isQueued(args) && !isForWorker ? 'where the key is, ' : '';
  const run = `${where}${command(`run ${shellWord(shown(file))}${isForWorker ? ' --queue' : ''}`)}`;
  const again = command(
    `plan ${givenWords(plan.playbook.file, args, context.globals)}${isQueued(args) ? ' --queue' : ''}`,
  );
  const next =
    isBroken(plan) || isUnsignable(plan, config)
      ? `fix it, then ${again}`
      : isSigned
        ? `get it signed with ${command(`approve ${shellWord(shown(file))}`)}, then ${run}`
        : run;
  out.line(`${paint('strong', 'Next')}  ${next}`);
}

function printUnsignable(plan: Plan, { terminal: { out } }: Context): void {
  const [first] = unboundedIn(plan);
  if (first === undefined) return;
  out.line(
    'this plan cannot be approved: no guard bounds the value of an order that only the run knows',
  );
  out.line(`${out.theme.paint('command', 'help')}  ${boundHint(first, plan)}`);
}

function goodFor({ observedAt, expiresAt, isOffline, playbook: { file } }: Plan): string {
  if (isOffline) return 'for review only: it cannot be run';
  const why = outsideCheckout(file);
  if (why !== undefined) return `for review only: ${plainText(file, 80)} ${why}`;
  return `valid for ${spoken(expiresAt - observedAt)} and one run`;
}

/** The shortest path to a file from the current folder. */
function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}

function isBroken({ guards }: Plan): boolean {
  return guards.some(({ isKept }) => !isKept);
}

/** Whether a worker may execute the plan. */
function mayQueue(plan: Plan, config: Config): boolean {
  return mayWrite(plan) && unsignedAmong(destinationsOf(plan), config) === undefined;
}

/** Whether the plan needs approvals, and has orders that nobody may be asked to sign. */
function isUnsignable(plan: Plan, config: Config): boolean {
  return unboundedIn(plan).length > 0 && askedFor(plan, config).length > 0;
}

function hasChanges({ totals: { create, set, later = 0, outbound = 0 } }: Plan): boolean {
  return create + set + later + outbound > 0;
}
