/** A plan for a person: what would be created, set, read; how sure each line is; what it adds up to. */
import { decimal } from '../../base/decimal.ts';
import { plainText } from '../../base/text.ts';
import type { Plan, PlannedStep } from '../../plan/plan.ts';
import { unlistedWords } from '../../report/assumptions.ts';
import { costWords, laterWords, money } from '../../report/words.ts';
import { badge } from './badge.ts';
import { columns, padEnd, padStart, widthOf } from './columns.ts';
import type { Look } from './look.ts';
import { actionLines, percentOf } from './plan-lines.ts';

export interface PlanScreenOptions {
  /** Every line, also those alike. */
  readonly isFull: boolean;
}

export function planText(plan: Plan, options: PlanScreenOptions, look: Look): string[] {
  const width = Math.max(8, ...plan.steps.map(({ id }) => widthOf(id)));
  return [
    headLine(plan, look),
    ...unlistedLines(plan, look),
    ...plan.steps.flatMap((step) => ['', ...stepLines(step, width, options, look)]),
    '',
    ...totalLines(plan, look),
    ...guardLines(plan, look),
  ];
}

function headLine({ destination, accounts = [], playbook, isOffline }: Plan, look: Look): string {
  const strong = (text: string): string => look.paint('strong', plainText(text, 160));
  const key =
    destination.keyFingerprint === undefined ? '' : ` (key ${destination.keyFingerprint})`;
  return [
    `${badge(destination.target, look)} ${strong(destination.profile)}${key}`,
    ...(accounts.length > 0
      ? [`and ${accounts.map(({ profile }) => strong(profile)).join(', ')}`]
      : []),
    `playbook ${strong(playbook.file)} @ ${strong(playbook.digest.slice(0, 7))}`,
    isOffline ? 'made offline: nothing was read' : 'reads only, nothing was sent',
  ].join('   ');
}

function unlistedLines({ unlisted = [] }: Plan, look: Look): string[] {
  return unlisted.map((profile) => look.paint('warn', `! ${unlistedWords(profile)}`));
}

function stepLines(
  step: PlannedStep,
  width: number,
  { isFull }: PlanScreenOptions,
  look: Look,
): string[] {
  const id = look.paint('strong', padEnd(plainText(step.id, 60), width));
  const head = `${id}  ${plainText(step.uses, 60)}`;
  const { heading, lines } = actionLines(step, isFull, look);
  const writes = step.file === undefined ? [] : [`  writes ${plainText(step.file, 160)}`];
  const nothing = step.actions.length === 0 ? ['  nothing to do: there are no items'] : [];
  return [beside(head, step, heading, look), ...lines, ...nothing, ...writes];
}

/** What stands beside the step's id: the names of the columns, or else its own name. */
function beside(head: string, step: PlannedStep, heading: string, look: Look): string {
  const names = heading.trimStart();
  if (names !== '') {
    const start = widthOf(heading) - widthOf(names);
    return `${padEnd(head, start - 1)} ${names}`;
  }
  return step.name === undefined
    ? head
    : `${head}  ${look.paint('faint', plainText(step.name, 100))}`;
}

/** What the plan adds up to; told again before anything is sent. */
export function totalLines({ id, totals }: Plan, look: Look): string[] {
  const { paint } = look;
  const parts = [
    totals.create > 0 ? paint('good', `${totals.create} to create`) : '',
    totals.set > 0 ? paint('warn', `${totals.set} to set`) : '',
    totals.unchanged > 0 ? `${totals.unchanged} unchanged` : '',
    laterWords(totals),
  ].filter((part) => part !== '');
  const changes = parts.length === 0 ? 'nothing to change' : parts.join(', ');
  const cost = costWords(totals);
  const orders =
    totals.orders === 0
      ? []
      : [
          `orders: ${paint('strong', `${totals.orders} new`)}, ${money(decimal(totals.notional))} in all`,
        ];
  const after = totals.openOrdersAfter;
  const open = after === undefined ? [] : [`open after: ${after} of 400`];
  const far =
    totals.farthest === undefined ? [] : [`farthest from mark: ${percentOf(totals.farthest)}`];
  const second = [...orders, ...far, ...open].join('   ');
  const name = `${paint('strong', `Plan ${id}`)}   `;
  return [
    `${name}${changes}   ${cost}`,
    ...(second === '' ? [] : [padStart('', widthOf(name)) + second]),
  ];
}

function guardLines({ guards }: Plan, look: Look): string[] {
  const { paint } = look;
  const broken = guards.filter(({ isKept }) => !isKept);
  const kept = guards.filter(({ isKept }) => isKept);
  const rows = kept.map(({ guard, limit, used }) => [
    guard,
    `${plainText(used, 60) || 'none'} of ${plainText(limit, 60)}`,
  ]);
  return [
    ...(kept.length === 0
      ? []
      : [
          '',
          ...columns(
            rows.map((row) => [paint('faint', 'guard'), ...row]),
            look,
            { indent: 0 },
          ),
        ]),
    ...broken.map(
      ({ guard, message }) => `${paint('warn', `! guard ${guard}`)}  ${plainText(message)}`,
    ),
    ...(broken.length === 0
      ? []
      : ['  this plan cannot run until the playbook or the guard changes']),
  ];
}
