/** A plan for a person: what it creates, sets and reads, with the confidence of each line and the totals. */
import { jsonLine, plainText } from '../../base/text.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import type { Plan, PlannedStep } from '../../engine/plan/plan.ts';
import { changesSince, sinceWords, type Approved } from '../plan-changes.ts';
import { unlistedWords } from '../assumptions.ts';
import { orphanLines, orphansHint, orphansWords } from '../orphans.ts';
import { doubtsOfOthersLines, unfinishedLines } from '../unfinished-runs.ts';
import { unknownLines, unknownTitle } from '../unknown-orders.ts';
import { laterReadWords } from '../words.ts';
import { badge } from './badge.ts';
import { columns, packed, padEnd, widthOf, wrapped } from './columns.ts';
import { guardScreen } from './guards.ts';
import type { Theme } from './theme.ts';
import { actionLines } from './plan-lines.ts';
import { totalLines } from './plan-totals.ts';

export interface PlanScreenOptions {
  /** Whether every line is printed instead of groups. */
  readonly isFull: boolean;
  /** The last plan of the playbook that was approved. */
  readonly since?: Approved | undefined;
}

export function planText(plan: Plan, options: PlanScreenOptions, theme: Theme): string[] {
  const width = Math.max(8, ...plan.steps.map(({ id }) => widthOf(id)));
  return [
    ...headLines(plan, theme),
    ...unlistedLines(plan, theme),
    ...noteLines(plan, theme),
    ...(options.isFull ? namedLines(plan, theme) : []),
    ...plan.steps.flatMap((step) => ['', ...stepLines(step, width, options, theme)]),
    ...laterLines(plan, theme),
    ...unknownOrderLines(plan, theme),
    ...orphanedLines(plan, theme),
    '',
    ...totalLines(plan, theme),
    ...guardsOf(plan, theme),
    ...sinceLines(plan, options, theme),
  ];
}

/** The differences from the last approved plan. */
function sinceLines(plan: Plan, { since, isFull }: PlanScreenOptions, theme: Theme): string[] {
  if (since === undefined) return [];
  const changes = changesSince(since, plan);
  const shown = isFull ? changes : changes.slice(0, laterMax);
  const more = changes.length - shown.length;
  const tones = { '+': 'good', '-': 'bad', '~': 'warn' } as const;
  return [
    '',
    ...wrapped(sinceWords(since, changes), theme, 0),
    ...shown.flatMap(({ sign, text, was }) => {
      const words = was === undefined ? text : `${text} (was ${was})`;
      return columns([[theme.paint(tones[sign], sign), words]], theme, { indent: 2 });
    }),
    ...(more > 0 ? [`  ${theme.more(more)}   (--full shows all)`] : []),
  ];
}

function headLines(
  { destination, accounts = [], playbook, isOffline }: Plan,
  theme: Theme,
): string[] {
  const strong = (text: string): string => theme.paint('strong', plainText(text, 160));
  const parts = [
    `${badge(destination.target, theme)} ${strong(destination.profile)}${keyWords(destination)}`,
    ...(accounts.length > 0
      ? [`and ${accounts.map(({ profile }) => strong(profile)).join(', ')}`]
      : []),
    `playbook ${strong(playbook.file)} @ ${strong(playbook.digest.slice(0, 7))}`,
    isOffline ? 'made offline: nothing was read' : 'reads only, nothing was sent',
  ];
  return packed(parts, theme, 2);
}

function keyWords({ keyFingerprint, accountId, family }: Destination): string {
  const words = [
    ...(family === undefined ? [] : [family]),
    ...(keyFingerprint === undefined ? [] : [`key ${keyFingerprint}`]),
    ...(accountId === undefined ? [] : [`account ${plainText(accountId, 60)}`]),
  ];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function unlistedLines({ unlisted = [] }: Plan, theme: Theme): string[] {
  return unlisted
    .flatMap((profile) => wrapped(`! ${unlistedWords(profile)}`, theme, 0))
    .map((line) => theme.paint('warn', line));
}

/** Notes on a plan: changed keys and addresses of its accounts, and the runs that block its run. */
export function noteLines(
  { notes = [], unfinished = [], doubts }: Pick<Plan, 'notes' | 'unfinished' | 'doubts'>,
  theme: Theme,
): string[] {
  const words = [
    ...notes.map((note) => plainText(note)),
    ...unfinishedLines(unfinished),
    ...doubtsOfOthersLines(doubts),
  ];
  return words
    .flatMap((each) => wrapped(`! ${each}`, theme, 0))
    .map((line) => theme.paint('warn', line));
}

/** The values of `let`, one a line. */
function namedLines({ let: named = {} }: Plan, theme: Theme): string[] {
  const lines = Object.entries(named).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : jsonLine(value);
    return wrapped(`let.${plainText(name, 64)} = ${plainText(text, valueMax)}`, theme, 2);
  });
  return lines.length === 0 ? [] : ['', ...lines];
}

const valueMax = 400; // characters of one value; the JSON has all of them

function stepLines(
  step: PlannedStep,
  width: number,
  { isFull }: PlanScreenOptions,
  theme: Theme,
): string[] {
  const id = theme.paint('strong', padEnd(plainText(step.id), width));
  const head = `${id}  ${plainText(step.uses)}`;
  const { heading, lines } = actionLines(step, isFull, theme);
  const writes = step.file === undefined ? [] : wrapped(`writes ${plainText(step.file)}`, theme, 2);
  const nothing = step.actions.length === 0 ? ['  nothing to do: there are no items'] : [];
  return [...beside(head, step, heading, theme), ...lines, ...nothing, ...writes];
}

/** Puts the column headings, or the name of the step, next to the step's id. */
function beside(head: string, step: PlannedStep, heading: string, theme: Theme): string[] {
  const names = heading.trimStart();
  if (names !== '') {
    const start = widthOf(heading) - widthOf(names);
    return widthOf(head) < start ? [`${padEnd(head, start - 1)} ${names}`] : [head, heading];
  }
  if (step.name === undefined) return [head];
  const faint = { ...theme, columns: theme.columns - widthOf(head) - 2 };
  const [first = '', ...more] = wrapped(plainText(step.name), faint, 0);
  const margin = ' '.repeat(widthOf(head) + 2);
  const name = (line: string): string => theme.paint('faint', line);
  return [`${head}  ${name(first)}`, ...more.map((line) => margin + name(line))];
}

/** Open orders of earlier runs that are no longer in the playbook. */
export function orphanedLines({ orphans = [] }: Pick<Plan, 'orphans'>, theme: Theme): string[] {
  if (orphans.length === 0) return [];
  return [
    '',
    ...wrapped(`! ${orphansWords(orphans.length)}: ${orphansHint}`, theme, 0).map((line) =>
      theme.paint('warn', line),
    ),
    ...orphanLines(orphans).flatMap((line) => wrapped(line, theme, 2)),
  ];
}

/** Orders whose value a reviewer cannot know, with what bounds each. */
function unknownOrderLines(plan: Plan, theme: Theme): string[] {
  const lines = unknownLines(plan);
  if (lines.length === 0) return [];
  return [
    '',
    theme.paint('warn', unknownTitle),
    ...lines.flatMap((line) => wrapped(line, theme, 2)),
  ];
}

/** Values that are not in the plan: the run reads them after its first write or wait. */
function laterLines({ readLater = [] }: Plan, theme: Theme): string[] {
  if (readLater.length === 0) return [];
  const shown = readLater.slice(0, laterMax).map(laterReadWords);
  const more = readLater.length - shown.length;
  return [
    '',
    theme.paint('faint', 'Read during the run, not part of the plan:'),
    ...shown.map((words) => `  ${words}`),
    ...(more > 0 ? [`  ${theme.more(more)}`] : []),
  ];
}

const laterMax = 20; // lines shown

function guardsOf({ guards }: Plan, theme: Theme): string[] {
  if (guards.length === 0) return [];
  const isBroken = guards.some(({ isKept }) => !isKept);
  return [
    '',
    ...guardScreen(guards, theme),
    ...(isBroken ? ['  this plan cannot run until the playbook or the guard changes'] : []),
  ];
}
