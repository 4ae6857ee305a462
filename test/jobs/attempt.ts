/** A person runs what is wanted: plans it, does what refusals advise, and runs a plan that doubles nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planIn } from '../../src/engine/plan/file.ts';
import { adviceIn, flat, refusalIn, type Advice } from './advice.ts';
import { jobFile } from './compose.ts';
import type { Typed } from './desk.ts';
import { without } from './edits.ts';
import { addressOf, partsWords, rowAt } from './wanted.ts';
import type { Work } from './work.ts';

const triesMax = 9; // plans before a run

/** What a person does next: other words of `plan` and `run`, or what a run that was resumed ended as. */
type Next = { readonly words: readonly string[] } | { readonly typed: Typed } | undefined;

/** @returns the run; undefined if nothing is left to do */
export async function attempt(work: Work, begun: readonly string[]): Promise<Typed | undefined> {
  const seen = new Set<string>();
  let words = begun;
  for (let tries = 0; tries < triesMax && work.wrong === undefined; tries += 1) {
    const there = work.prices();
    const planned = await planOf(work, words);
    if (work.prices().length !== there.length) work.note('a plan sent an order', planned);
    let next: Next;
    if (planned.code === 0) {
      const doubled = createsIn(work).filter((price) => there.includes(price));
      if (doubled.length === 0) return ran(work, words, createsIn(work));
      checkSaid(work, doubled, planned);
      next = work.takeBack() ? { words: begun } : undefined;
    } else {
      const state = [refusalIn(planned), ...words, partsWords(work.wanted)].join(' ');
      if (seen.has(state)) work.note('what it advises leads to the same refusal', planned);
      seen.add(state);
      next = await followed(work, planned, words);
    }
    if (next === undefined) return byHand(work);
    if ('typed' in next) return next.typed;
    ({ words } = next);
  }
  work.note('refused again and again');
  return undefined;
}

/** A person takes out of the playbook what exists, and runs the rest without the help of earlier runs. */
export async function byHand(work: Work): Promise<Typed | undefined> {
  for (const run of work.runs.filter((each) => !work.aside.has(each))) {
    await work.scene.desk.type(['runs', 'set-aside', run, '--reason', 'by hand']);
    work.aside.add(run);
  }
  work.since = work.runs.length;
  const prices = work.prices();
  work.keep();
  work.want(
    without(work.wanted, ({ price }) => prices.includes(price)),
    'by hand',
  );
  return work.wanted.parts.length === 0 ? undefined : attempt(work, [jobFile]);
}

function planOf(work: Work, words: readonly string[]): Promise<Typed> {
  return work.typeOn(['plan', ...words, '--out', 'plan.json']);
}

/** The prices of the orders that the last plan creates. */
function createsIn({ scene }: Work): readonly string[] {
  const { steps } = planIn(readFileSync(join(scene.desk.folder, 'plan.json')), 'plan.json');
  const actions = steps.flatMap((step) => step.actions);
  return actions.flatMap(({ change, input }) => {
    const { price } = Object(input);
    return change.kind === 'create' && price !== undefined ? [String(price)] : [];
  });
}

/** A plan that places orders a second time says how many. */
function checkSaid(work: Work, doubled: readonly string[], planned: Typed): void {
  const text = flat(planned);
  const patterns = [
    /(\d+) orders? of \S+ in what is executed again/,
    /this plan places (\d+) of them a second time/,
    /(\d+) orders? that a person abandoned may exist/,
  ];
  const count = patterns.reduce((sum, pattern) => sum + Number(pattern.exec(text)?.[1] ?? 0), 0);
  if (count >= doubled.length) return;
  work.note(`a plan says ${count} of ${doubled.length} that it doubles: ${doubled}`, planned);
}

/** Runs what was planned, sometimes with a lost order or to a death. */
async function ran(
  work: Work,
  words: readonly string[],
  creates: readonly string[],
): Promise<Typed> {
  const { world } = work.scene;
  const there = work.prices();
  work.begun = work.wanted;
  work.keep();
  if (work.chance(60)) {
    const when = work.chance(60) ? 'after-commit' : 'before';
    world.lose({ nth: 1 + work.random.integer(creates.length), when, isBlind: work.chance(90) });
  }
  const death = work.chance(15) ? 4 + work.random.integer(40) : undefined;
  const typed = work.chance(50)
    ? await work.type(['run', 'plan.json'], death)
    : await work.typeOn(['run', ...words], death);
  const now = work.prices();
  const sent = now.filter((price) => !there.includes(price));
  const unplanned = sent.filter((price) => !creates.includes(price));
  if (unplanned.length > 0) work.note(`sent ${unplanned}, which no plan showed`, typed);
  if (new Set(now).size < now.length) work.note('an order is placed twice', typed);
  if (typed.code === 0 && sent.length < creates.length)
    work.note(`the plan shows ${creates}, and it sent ${sent}`, typed);
  if (typed.code !== 0 && typed.code !== 'died' && isRefusal(typed))
    work.note('a run is refused, and its plan was not', typed);
  return typed;
}

/** Whether nothing was begun. */
function isRefusal({ err }: Typed): boolean {
  return !/^\S+ run r-\S+ +started/m.test(err);
}

async function followed(work: Work, planned: Typed, words: readonly string[]): Promise<Next> {
  const all = adviceIn(planned);
  if (all.length === 0) work.note('a refusal names nothing to do', planned);
  for (const advice of all) {
    const next = await follow(work, advice, words, planned);
    if (next !== undefined) return next;
  }
  return work.takeBack() ? { words } : undefined;
}

async function follow(
  work: Work,
  advice: Advice,
  words: readonly string[],
  planned: Typed,
): Promise<Next> {
  switch (advice.kind) {
    case 'back':
      return work.takeBack() ? { words } : undefined;
    case 'new':
      return withNew(work, advice.step, words);
    case 'of':
      return { words: words.map((word, at) => (words[at - 1] === '--of' ? advice.run : word)) };
    case 'abandoned':
      return { words: isTakenOut(work, advice.name) ? words : withFrom(words, advice.name) };
    case 'resume':
      return { typed: await work.type(['resume', advice.run]) };
    case 'from':
    case 'plain': {
      const next = advice.kind === 'from' ? withFrom(words, advice.name) : [jobFile];
      await checkAgain(work, next, advice.again, planned);
      return advice.again > 0 ? undefined : { words: next };
    }
  }
}

/** The words with the rows of a step that were never sent; undefined without any. */
function withNew(work: Work, id: string, words: readonly string[]): Next {
  const prices = work.prices();
  const part = work.wanted.parts.find((each) => each.id === id);
  const names = (part?.rows ?? [])
    .filter(({ price }) => !prices.includes(price))
    .flatMap((row) => (part === undefined ? [] : addressOf(part, row, work.choice)))
    .filter((name) => !words.includes(name));
  return names.length === 0 ? undefined : { words: names.reduce(withFrom, words) };
}

/** Takes a row out of the playbook that exists, although a person abandoned it. @returns whether it does */
function isTakenOut(work: Work, address: string): boolean {
  const found = rowAt(work.wanted, address, work.choice);
  if (found === undefined || !work.prices().includes(found.price)) return false;
  work.want(
    without(work.wanted, (row) => row === found),
    `${found.price} is there, so it is taken out`,
  );
  return true;
}

/** What a command that a message names would place a second time is what the message says. */
async function checkAgain(
  work: Work,
  words: readonly string[],
  again: number,
  refusal: Typed,
): Promise<void> {
  const there = work.prices();
  await work.scene.desk.apart(async () => {
    if ((await planOf(work, words)).code !== 0) return;
    const doubled = createsIn(work).filter((price) => there.includes(price));
    if (doubled.length > again)
      work.note(`it says that ${again} are sent again, and it is ${doubled}`, refusal);
  });
}

/** The words with another part that is executed. */
function withFrom(words: readonly string[], name: string): readonly string[] {
  const at = words.indexOf('--of');
  return at === -1 ? words : words.toSpliced(at, 0, '--from', name);
}
