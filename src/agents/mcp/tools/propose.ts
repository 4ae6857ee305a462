/** The tool that proposes: it returns the commands that a person may run, and runs none of them. */
import { join, relative } from 'node:path';
import { second, type Millis } from '../../../base/clock.ts';
import { fieldOf } from '../../../base/json.ts';
import { choice, list, optional, record, text, truth } from '../../../exchange/api/schema.ts';
import { shellWord } from '../../../base/text.ts';
import { readRun } from '../../../engine/journal/runs.ts';
import { millis, targets } from '../../../engine/journal/shared-schema.ts';
import type { Plan } from '../../../engine/plan/plan.ts';
import { runStatuses } from '../../../report/run-status.ts';
import { summaryOf } from '../../../report/summary.ts';
import { askedFor } from '../../../app/approval/asked.ts';
import { one } from '../../../app/documents/common.ts';
import { planText } from '../../../report/terminal/plan-screen.ts';
import type { ToolContext } from '../tool-context.ts';
import { ArgumentError, CommandError } from '../refusal.ts';
import { inputValues, onlySteps, playbookFile, saveTo } from '../common-arguments.ts';
import { plainTheme } from '../plain-theme.ts';
import { planFor, type Planning } from '../planning.ts';
import { runId } from '../run-argument.ts';
import { argumentsOf, tool, type ToolResult } from '../tool.ts';

const commands = list(record({ command: text(), why: text() }), {
  description: 'For a person, in a terminal in `folder`; no tool runs them',
});

const output = record({
  version: one,
  folder: text(),
  commands,
  plan: optional(
    record({
      id: text(),
      digest: text(),
      file: text({ description: 'Where it is saved' }),
      profile: text(),
      target: choice(targets),
      expiresAt: millis('Until when it can be run'),
      isKept: truth,
      approvals: list(text(), { description: 'Profiles that require signed approvals' }),
    }),
  ),
  run: optional(record({ run: text(), status: choice(runStatuses) })),
});

export const propose = tool({
  name: 'propose',
  title: 'Propose commands to a person',
  description:
    'Return the exact commands that a person has to run: for the `file` of a playbook, make and save a plan, and return how to approve and run it; for a `run`, what can be done next, such as resume it or resolve its doubts. It runs and approves nothing.',
  writes: 'files',
  isConnected: true,
  input: argumentsOf({
    file: optional(playbookFile),
    run: optional(runId),
    inputs: inputValues,
    only: onlySteps,
    save: saveTo,
  }),
  output,
  call: async ({ file, run, ...planning }, desk, signal) => {
    if ((file === undefined) === (run === undefined)) {
      throw new ArgumentError(
        'file',
        'give file or run',
        'a playbook to plan, or a run to continue',
      );
    }
    if (run !== undefined) return ofRun(run, desk, signal);
    return ofPlan({ ...planning, file: file ?? '', isOffline: false }, desk, signal);
  },
});

async function ofPlan(
  planning: Planning,
  desk: ToolContext,
  signal: AbortSignal,
): Promise<ToolResult> {
  if (desk.isOffline) {
    throw new ArgumentError(
      'file',
      'this server makes no requests, and a plan made offline cannot be run',
      'call plan, or start the server without --offline',
    );
  }
  const plan = await planFor(planning, desk, signal);
  const config = await desk.config();
  const saved = planning.save ?? pathOf(plan, config.stateDir, desk);
  const approvals = askedFor(plan, config).map(({ profile }) => profile);
  const isKept = plan.guards.every((guard) => guard.isKept);
  const { id, digest, expiresAt, destination } = plan;
  const { profile, target } = destination;
  const structured = {
    version: 1,
    folder: desk.folder,
    commands: isKept ? commandsFor(saved, approvals.length > 0, desk) : [],
    plan: { id, digest, file: saved, profile, target, expiresAt, isKept, approvals },
  };
  const lines = planText(plan, { isFull: false }, plainTheme);
  const next = isKept
    ? structured.commands.map(({ command, why }) => `${command}   # ${why}`)
    : [
        'A guard is exceeded, so this plan cannot be run: change the playbook, and propose it again.',
      ];
  return { structured, text: [...lines, '', 'For a person to run:', ...next].join('\n') };
}

function pathOf({ id }: Plan, stateDir: string, { folder }: ToolContext): string {
  const path = join(stateDir, 'plans', `${id}.json`);
  const near = relative(folder, path);
  return near.startsWith('..') ? path : near;
}

function commandsFor(
  file: string,
  isSigned: boolean,
  desk: ToolContext,
): readonly { readonly command: string; readonly why: string }[] {
  const plan = shellWord(file);
  const run = {
    command: `${programWords(desk)} run ${plan}`,
    why: 'executes exactly this plan, after it was confirmed',
  };
  if (!isSigned) return [run];
  const approve = {
    command: `${programWords(desk)} approve ${plan}`,
    why: 'signs it; its profile requires signed approvals',
  };
  return [approve, run];
}

/** The name of the program with the flags of this server that a command needs as well. */
function programWords({ context: { globals } }: ToolContext): string {
  const { config, store } = globals;
  return [
    'deskhand',
    ...(config === undefined ? [] : ['--config', shellWord(config)]),
    ...(store === undefined ? [] : ['--store', shellWord(store)]),
  ].join(' ');
}

const longest: Millis = 60 * second;

async function ofRun(run: string, desk: ToolContext, signal: AbortSignal): Promise<ToolResult> {
  const { stateDir } = await desk.config();
  const shown = await desk.read('runs show', { positionals: [run], longest }, signal);
  const [first] = Array.isArray(shown['entries']) ? shown['entries'] : [];
  const id = fieldOf(first, 'run');
  if (typeof id !== 'string') {
    throw new CommandError('the record of this run cannot be read, or it never began', {
      code: 'journal',
      hint: `a person should run: ${programWords(desk)} runs show ${shellWord(run)}`,
      printed: '',
    });
  }
  const summary = summaryOf(await readRun(stateDir, id));
  const next = summary.next.map(({ command, why }) => ({
    command: command.replace(/^deskhand\b/, programWords(desk)),
    why,
  }));
  const structured = {
    version: 1,
    folder: desk.folder,
    commands: next,
    run: { run: id, status: summary.status },
  };
  const lines = next.map(({ command, why }) => `${command}   # ${why}`);
  return { structured, text: ['For a person to run:', ...lines].join('\n') };
}
