/** Relation "plan": a run sends what its plan shows, or names a change of the world; every form of a plan says the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobFile } from './compose.ts';
import type { Typed } from './desk.ts';
import type { Plan } from '../../src/engine/plan/plan.ts';
import { planIn } from '../../src/engine/plan/file.ts';
import { plansMarkdown } from '../../src/report/markdown/branch-plans.ts';
import type { PlanView } from '../../src/serve/server/approvals/plan-view.ts';
import { pageOf } from '../support/plan-page.ts';
import type { Finding } from './finding.ts';
import type { Choice } from './features.ts';
import type { Scene } from './scene.ts';
import { difference, statesIn, type Books } from './worlds.ts';

export async function brokenPlan({ job, desk, world }: Scene): Promise<readonly Finding[]> {
  const { choice, flags } = job;
  const broken: Finding[] = [];
  const note = (what: string, typed?: Typed): unknown =>
    broken.push({ relation: 'plan', choice, what, ...(typed && { typed }) });
  const before = world.books();
  const planned = await desk.type(['plan', jobFile, '--out', 'plan.json', ...flags]);
  if (planned.code !== 0 && planned.code !== 5) {
    if (planned.code === 1 && !stopsAtRead(choice)) note('a plan ends without a reason', planned);
    return broken; // other refusals are of relation "language"
  }
  const plan = planIn(readFileSync(join(desk.folder, 'plan.json')), 'plan.json');
  const isBlocked = plan.guards.some(({ isKept }) => !isKept);
  const form = formOf(plan);
  const others = [
    planned,
    ...(choice.world === 'ticks'
      ? []
      : [await desk.type(['plan', jobFile, '-o', 'markdown', ...flags])]),
  ];
  for (const typed of others) {
    const said = saidBy(typed);
    if (said !== form) note(`the plan is ${form}, and a form of it says ${said}`, typed);
  }
  const comment = {
    ...planned,
    words: ['comment'],
    out: plansMarkdown([{ file: jobFile, plan }], 'main'),
  };
  if (saidBy(comment) !== form)
    note(`the plan is ${form}, and a comment says ${saidBy(comment)}`, comment);
  if (shownOn(pageOf(plan)) !== form)
    note(`the plan is ${form}, and its page shows ${shownOn(pageOf(plan))}`);
  if (Object.keys(difference(before, world.books())).length > 0)
    note('a plan sent a write', planned);
  world.meanwhile(desk);
  const ran = await desk.type(['run', 'plan.json']);
  const sent = difference(before, world.books());
  const shown = writesIn(plan);
  if (isBlocked) {
    if (ran.code !== 5) note('a blocked plan was run', ran);
    if (Object.keys(sent).length > 0) note(`a blocked plan sent ${wordsOf(sent)}`, ran);
    return broken;
  }
  if (isRefused(ran)) {
    if (Object.keys(sent).length > 0) note(`a refused plan sent ${wordsOf(sent)}`, ran);
    if (!namesChange(choice, ran)) note('a plan is refused without a change of the world', ran);
    return broken;
  }
  const nameless = namelessIn(ran, plan);
  if (nameless !== undefined) note(`a line does not name its account: ${nameless}`, ran);
  const over = Object.entries(statesIn(sent)).filter(
    ([key, n]) => n > (shown.known[key] ?? 0) + (shown.aside[key] ?? 0) + shown.later,
  );
  if (over.length > 0) {
    note(
      `sent ${wordsOf(Object.fromEntries(over))}, and the plan shows ${wordsOf(shown.known)}`,
      ran,
    );
  }
  const under = Object.entries(shown.known).filter(
    ([key, n]) => n > (sent[key] ?? 0) && !key.endsWith('cancel'), // it is not sent for an order that is over
  );
  const mayFail = choice.failure !== 'none' || ran.code !== 0;
  if (under.length > 0 && !mayFail) {
    note(`did not send ${wordsOf(Object.fromEntries(under))} of its plan`, ran);
  }
  if (ran.code === 0 && cancelsAll(choice) && world.open('BTCUSDT') > 0)
    note('an order is open after all were cancelled', ran);
  const isOdd = ran.code === 6 && choice.answers === 'real'; // nobody understands a response
  if (ran.code !== 0 && choice.failure === 'none' && !isOdd && !hasRefusal(ran)) {
    note('it fails, and nothing was to go wrong', ran);
  }
  return broken;
}

/** Whether a read that the plan makes fails, and the job must not go on from it. */
function stopsAtRead({ failure, onError }: Choice): boolean {
  return (failure === 'read' || failure === 'nested-read') && onError === 'stop';
}

/** Whether a job that is done leaves no order of its step of orders. */
function cancelsAll({ cancel, finally: ending }: Choice): boolean {
  return cancel === 'after' || ending === 'cancel';
}

/** Counts and verdict of a plan, as words. */
function formOf({ totals, guards }: Plan): string {
  const verdict = guards.every(({ isKept }) => isKept) ? 'runs' : 'blocked';
  return [totals.create, totals.set, totals.later ?? 0, verdict].join(' ');
}

/** The same, from the lines of its page. */
function shownOn({ lines, guards }: PlanView): string {
  const many = (kind: string): number => lines.filter((line) => line.kind === kind).length;
  const verdict = guards.every(({ isKept }) => isKept) ? 'runs' : 'blocked';
  return [many('create'), many('set'), many('later'), verdict].join(' ');
}

/** The same, from what a command printed. */
function saidBy({ out, words }: Typed): string {
  const flat = out.replaceAll(/\s+/g, ' ');
  const number = (pattern: RegExp): string => pattern.exec(flat)?.[1] ?? '0';
  const isComment = words.includes('comment');
  const isBlocked = /This plan cannot run/.test(flat) || /! guard /.test(flat);
  if (isComment && isBlocked !== /\| ✖ \| `job\.yaml/.test(flat))
    return 'one verdict in its table, another below';
  return [
    number(/(\d+) to create/),
    number(/(\d+) to set/),
    number(/(\d+) steps? known only during the run/),
    isBlocked ? 'blocked' : 'runs',
  ].join(' ');
}

/**
 * The writes that a plan shows, by account and what they write: `aside` are those that are sent only if the run
 * stops; `later` is how many more it allows for.
 */
function writesIn({ steps, destination }: Plan): {
  readonly known: Books;
  readonly aside: Books;
  readonly later: number;
} {
  const known: Record<string, number> = {};
  const aside: Record<string, number> = {};
  let later = 0;
  for (const { effect, actions } of steps) {
    const isWriting = effect !== 'read' && effect !== 'local';
    for (const { operation, change, input, account = destination.profile } of actions) {
      if (change.kind === 'later' && isWriting) later = Infinity;
      const isAside = change.kind === 'skip' && change.because === 'runs only if the run stops';
      if (!isAside && change.kind !== 'create' && change.kind !== 'set') continue;
      const { symbol } = Object(input);
      const key = `${account} ${changed[String(operation)] ?? String(symbol)}`;
      const books = isAside ? aside : known;
      books[key] = (books[key] ?? 0) + 1;
    }
  }
  return { known, aside, later };
}

/** What operations write that place no order. */
const changed: Readonly<Record<string, string>> = {
  'futures/set-all-leverage': 'leverage',
  'futures/set-leverage': 'leverage',
  'account/set-leverage': 'leverage',
  'account/create-sub': 'sub',
  'futures/cancel-order': 'cancel',
  'trade/cancel-order': 'cancel',
};

/** The first line of a run about a planned action that does not name its account. */
function namelessIn({ err }: Typed, { steps }: Plan): string | undefined {
  const actions = steps.flatMap((step) => step.actions);
  const accounts = new Map(actions.map(({ address, account }) => [address, account]));
  return err.split('\n').find((line) => {
    const [, address = ''] = /^\d\d:\d\d:\d\d (\S+) /.exec(line) ?? [];
    const account = accounts.get(address);
    return account !== undefined && !line.includes(` on ${account} `);
  });
}

/** Whether nothing was begun. */
function isRefused({ code, err }: Typed): boolean {
  return code !== 0 && code !== 6 && !/^\S+ run r-\S+ +started/m.test(err);
}

/** Whether a refusal names what moved. */
function namesChange({ world, answers }: Choice, { out, err }: Typed): boolean {
  const text = out + err;
  // A real response may leave a field empty, although it is known.
  if (
    answers === 'real' &&
    /was .* and is (?:null|not there|);|was (?:null|not there|) and is /.test(text)
  )
    return true;
  // The best orders of the book follow the time, and a repeated attempt takes some.
  if (/\b(?:ask|bid)1Size was .* and is /.test(text)) return true;
  switch (world) {
    case 'others':
      return /open orders?|was .* and is /s.test(text);
    case 'rotation':
      return /key/.test(text);
    default:
      return false;
  }
}

/** Whether the exchange refused something of a run. */
function hasRefusal({ out, err }: Typed): boolean {
  return /refused by the exchange|blocked by a guard/.test(out + err);
}

function wordsOf(books: Books): string {
  const words = Object.entries(books).map(([key, n]) => `${n} ${key}`);
  return words.length === 0 ? 'nothing' : words.join(', ');
}
