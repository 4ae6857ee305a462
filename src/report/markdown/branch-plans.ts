/** The plans of every playbook that a branch changes, as one comment for its pull request. */
import { signs } from '../../base/palette.ts';
import { decimal } from '../../base/decimal.ts';
import { count, moreText } from '../../base/text.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { Approved } from '../plan-changes.ts';
import { unknownWords } from '../unknown-orders.ts';
import type { CommittedPlan } from '../committed-plan.ts';
import { changeWords, money } from '../words.ts';
import { committedBlocks } from './committed.ts';
import { charactersMax, fitted, type Block } from './fit.ts';
import { blocksOf } from './plan-comment.ts';
import { code, marker, prose, tableHead, tableRow } from './text.ts';

/** A planned playbook, or the reason why it could not be planned. */
export interface Planned {
  readonly file: string;
  readonly plan?: Plan;
  /** The last plan of the playbook that was approved. */
  readonly last?: Approved | undefined;
  readonly trouble?: string;
  /** The plans of the playbook that the branch commits: people sign them. */
  readonly committed?: readonly CommittedPlan[];
}

/**
 * The comment, at most 60,000 characters: an overview of all, then each plan while it fits; rows that do not
 * fit are omitted completely and counted.
 * @param since the ref where the branch started, as given
 */
export function plansMarkdown(all: readonly Planned[], since: string): string {
  const title = `### Plans of ${count(all.length, 'playbook')} changed since ${code(since)}`;
  if (all.length === 0) {
    return fitted([marker('plans', 'changed'), title, 'No playbook changed; nothing was planned.']);
  }
  const details: Block[] = [];
  let room = charactersMax / 2; // the other half is for rows
  let shown = 0;
  for (const { plan, last, committed = [] } of all) {
    const beside = committedBlocks(committed, plan);
    const blocks = plan === undefined ? beside : [...beside, ...blocksOf(plan, last)];
    const fixed = blocks.reduce(
      (sum, block) => sum + (typeof block === 'string' ? block : '').length,
      0,
    );
    if (fixed > room) break;
    room -= fixed + roomOfTable;
    shown += 1;
    details.push(...blocks);
  }
  const left = all.length - shown;
  return fitted([
    marker('plans', 'changed'),
    title,
    overview(all),
    ...details,
    ...(left === 0 ? [] : [`The rows of ${count(left, 'more plan')} do not fit here.`]),
  ]);
}

const roomOfTable = 400; // characters of a heading, and of what is said when rows are left out

function overview(all: readonly Planned[]): Block {
  return {
    head: tableHead(['', 'Playbook', 'Plan made now', 'Changes', 'Orders', 'To be signed']),
    rows: all.map(({ file, plan, trouble, committed = [] }) => {
      const signed = committed.map((each) => code(each.plan?.id ?? each.file)).join(', ');
      if (plan === undefined) {
        return tableRow([signs.bad.drawn, code(file), '', prose(trouble ?? ''), '', signed]);
      }
      const { orders, notional } = plan.totals;
      const isBroken = plan.guards.some(({ isKept }) => !isKept);
      return tableRow([
        isBroken ? signs.bad.drawn : signs.good.drawn,
        code(file),
        code(plan.id),
        changeWords(plan.totals),
        [
          orders === 0 ? '' : `${orders}, notional ${money(decimal(notional))}`,
          unknownWords(plan.totals),
        ]
          .filter((words) => words !== '')
          .join('; '),
        signed,
      ]);
    }),
    more: (left) => moreText(left, 'playbook'),
  };
}
