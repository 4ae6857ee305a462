/** Fills the blocks of a page's text: rows are streamed, and everything is bounded. */
import { count } from '../../base/text.ts';
import type { Prose } from '../export/document-parts.ts';
import { membersIn, textOf, truthOf } from '../../language/expression/helpers/define.ts';
import { knownIn } from '../../language/expression/known.ts';
import { stepOfRows } from '../../language/expression/node.ts';
import { EvaluationError, type Scope, type Value } from '../../language/expression/value.ts';
import type { Block, BlockBody } from '../../language/playbook.ts';
import type { RunPlace } from './effect-context.ts';
import { broughtBy, isThere } from './rows.ts';

const roundsMax = 10_000;
const lengthMax = 256 * 1024; // characters, like every generated text

interface Limits extends RunPlace {
  /** The maximum number of members of a collection that are shown; the rest is counted. */
  readonly most: number;
}

/** The text under construction. */
interface Page extends Limits {
  readonly made: Prose[number][];
  length: number;
  /** The iterations of all `each` blocks together, because nested ones multiply. */
  rounds: number;
}

/** @throws EvaluationError for a missing value, and for a text that gets too long */
export async function filled(
  parts: BlockBody,
  scope: Scope,
  { most, workspace, elsewhere }: Limits,
): Promise<Prose> {
  const place = { workspace, ...(elsewhere && { elsewhere }) };
  const page: Page = { most, ...place, made: [], length: 0, rounds: 0 };
  await fill(parts, scope, page);
  return page.made;
}

async function fill(parts: BlockBody, scope: Scope, page: Page): Promise<void> {
  for (const part of parts) {
    if (typeof part === 'string') add(part, page);
    else if (!('block' in part)) add({ value: textOf(knownIn(part, scope)) }, page);
    else if (part.block === 'each') await fillEach(part, scope, page);
    else {
      const isMet = truthOf(knownIn(part.over, scope)) === (part.block === 'if');
      await fill(isMet ? part.body : part.otherwise, scope, page);
    }
  }
}

async function fillEach({ over, body, otherwise }: Block, scope: Scope, page: Page): Promise<void> {
  const step = stepOfRows(over.node);
  if (step !== undefined && !isThere(step, scope)) {
    add({ value: `${step} was not done: its rows are missing here.` }, page);
    return;
  }
  const { members, left } =
    step === undefined
      ? firstOf(membersIn(knownIn(over, scope)), page.most)
      : await firstRows(step, scope, page);
  if (members.length === 0) await fill(otherwise, scope, page);
  for (const [index, member] of members.entries()) {
    page.rounds += 1;
    if (page.rounds > roundsMax) {
      throw new EvaluationError(`the text has more than ${roundsMax} iterations of each`);
    }
    const last = index === members.length - 1;
    const round = { this: member, '@index': index, '@first': index === 0, '@last': last };
    await fill(body, { ...scope, ...round }, page);
  }
  const what = step === undefined ? 'more member' : 'more row';
  if (left > 0) add(`\n… ${count(left, what)}\n`, page);
}

interface First {
  readonly members: readonly Value[];
  /** The number of omitted members. */
  readonly left: number;
}

function firstOf(all: readonly Value[], most: number): First {
  return { members: all.slice(0, most), left: Math.max(0, all.length - most) };
}

async function firstRows(step: string, scope: Scope, page: Limits): Promise<First> {
  const members: Value[] = [];
  let left = 0;
  for await (const row of broughtBy(step, scope, page).rows) {
    if (members.length < page.most) members.push(row);
    else left += 1;
  }
  return { members, left };
}

function add(piece: Prose[number], page: Page): void {
  page.length += typeof piece === 'string' ? piece.length : piece.value.length;
  if (page.length > lengthMax) throw new EvaluationError('the text would be longer than 256 KiB');
  page.made.push(piece);
}
