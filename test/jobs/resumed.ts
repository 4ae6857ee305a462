/** Relations "resume" and "once": a killed run that is resumed ends as an unbroken one, and nothing is placed twice. */
import { minute, second } from '../../src/base/clock.ts';
import { sha256 } from '../../src/base/json.ts';
import { jobFile } from './compose.ts';
import type { Typed } from './desk.ts';
import type { Choice } from './features.ts';
import type { Finding, Relation } from './finding.ts';
import { endOf, endWords, killedAt, resumed, unbroken, type End, type Unbroken } from './killed.ts';
import type { Scene, Theatre } from './scene.ts';
import { difference, type Books } from './worlds.ts';

/** A job whose key is replaced is about plans; a blocked one sends nothing. */
function isAbout({ world, guards }: Choice): boolean {
  return world !== 'rotation' && guards !== 'tight';
}

/** Killed and resumed: the same exit code, orders and files. */
export async function brokenResume(choice: Choice, theatre: Theatre): Promise<readonly Finding[]> {
  return atActs('resume', choice, theatre, async (scene, run, before, { end }) => {
    if (run === undefined) return undefined; // killed before it had a journal
    const typed = await resumed(run, scene);
    const is = endOf(typed, scene, before);
    if (typed.isOver && isWithin(is.sent, withRescue(end.sent, choice))) {
      return undefined; // the rest is of a new run
    }
    const compared = typed.wasInDoubt ? withoutPage : (one: End): End => one;
    const [was, now] = [end, is].map((one) => endWords(compared(one)));
    return was === now ? undefined : { what: `unbroken ${was}, resumed ${now}`, typed };
  });
}

/**
 * Killed, run again as people type it, then resumed: never more than the orders of one run. Of each second job
 * the other run is killed, too, and resumed after the first; mostly early, as what was sent blocks it.
 */
export async function brokenOnce(choice: Choice, theatre: Theatre): Promise<readonly Finding[]> {
  const part = shareIn(choice, 'another');
  const dies = part < 0.5 ? undefined : (2 * part - 1) ** 2;
  const judge: Judge = async (scene, run, before, whole) => {
    if (run !== undefined && (await isFinal(run, scene))) return undefined;
    return placedAgain(scene, run, before, whole, dies);
  };
  return atActs('once', choice, theatre, judge, { early: dies });
}

/** The same on another machine, which knows what was pushed: before the lease of the lost one ends, and after. */
export async function brokenElsewhere(
  choice: Choice,
  theatre: Theatre,
): Promise<readonly Finding[]> {
  const judge: Judge = async (scene, run, before, whole) => {
    const { desk, job } = scene;
    if (run !== undefined && (await isFinal(run, scene))) return undefined;
    const planned = await desk.type(['plan', jobFile, ...job.flags]);
    const hasPlaced = Object.keys(difference(before, scene.world.books())).some(isPlaced);
    const isLost = run !== undefined && hasPlaced && !(await isDone(run, scene));
    if (isLost && planned.code !== 3 && !planned.out.includes(run)) {
      return {
        what: `a plan does not show the lost run ${run}, which placed orders`,
        typed: planned,
      };
    }
    const early = await desk.type(['run', jobFile, ...job.flags]);
    if (early.code !== 5) return judged(run, scene, before, whole, early);
    await desk.wait(lease);
    return placedAgain(scene, run, before, whole);
  };
  return atActs('elsewhere', choice, theatre, judge, { isShared: true });
}

const lease = 6 * minute; // above that of the configuration

/** @param dies the part of its acts after which the other run is killed; default: it ends */
async function placedAgain(
  scene: Scene,
  run: string | undefined,
  before: Books,
  whole: Unbroken,
  dies?: number,
): ReturnType<Judge> {
  const { desk, job } = scene;
  // A run that is done is no reason to send nothing in another one.
  const mayDie = dies !== undefined && run !== undefined && !(await isDone(run, scene));
  const act = mayDie ? actAfter(dies, whole.acts) : undefined;
  await desk.wait(second); // what follows is later by the clock, too
  const again = await desk.type(['run', jobFile, ...job.flags], act);
  await desk.wait(second);
  const first = await judged(run, scene, before, whole, again);
  if (first !== undefined || again.code !== 'died') return first;
  const other = desk.runs().find((each) => each !== run);
  if (other === undefined) return undefined;
  const already = difference(before, scene.world.books()); // also what the first did at its end
  return judged(other, scene, before, whole, again, already);
}

/**
 * @param again the run that was typed once more
 * @param already what was found right before
 */
async function judged(
  run: string | undefined,
  scene: Scene,
  before: Books,
  { end }: Unbroken,
  again: Typed,
  already: Books = {},
): ReturnType<Judge> {
  const typed = run === undefined ? { ...again, isOver: false } : await resumed(run, scene);
  if (/is done; there is nothing to resume/.test(typed.out + typed.err)) return undefined; // killed after its end
  const sent = difference(before, scene.world.books());
  const whole = typed.isOver ? withRescue(end.sent, scene.job.choice) : end.sent;
  if (isWithin(sent, { ...whole, ...greater(already, whole) })) return undefined;
  return { what: `a run places ${wordsOf(whole)}, and now there are ${wordsOf(sent)}`, typed };
}

/** A run in doubt wrote the page of its `on-failure`, which the unbroken one did not need. */
function withoutPage({ files: { 'sorry.html': _page, ...files }, ...end }: End): End {
  return { ...end, files };
}

/** A run that a doubt ended placed the order of its `on-failure`, which the unbroken one did not need. */
export function withRescue(sent: Books, { onFailure }: Choice): Books {
  if (onFailure !== 'order') return sent;
  return { ...sent, [rescueKey]: (sent[rescueKey] ?? 0) + 1 };
}

const rescueKey = 'main ETHUSDT';

/** The counts of some books that are greater than those of others. */
function greater(some: Books, others: Books): Books {
  return Object.fromEntries(Object.entries(some).filter(([key, n]) => n > (others[key] ?? 0)));
}

/** Whether some books have no more of what is placed than others. */
export function isWithin(sent: Books, whole: Books): boolean {
  return Object.entries(sent).every(([key, n]) => !isPlaced(key) || n <= (whole[key] ?? 0));
}

/** A leverage that is set again is the same one, and an order is cancelled only once. */
function isPlaced(key: string): boolean {
  return !key.endsWith('leverage') && !key.endsWith('cancel');
}

/** It ended before it was killed, with a failure that no resume retries: a new run is meant to send again. */
async function isFinal(run: string, { desk }: Scene): Promise<boolean> {
  const { out } = await desk.type(['runs', 'show', run]);
  return /the failure is final: start a new run/.test(out.replaceAll(/\s+/g, ' '));
}

async function isDone(run: string, { desk }: Scene): Promise<boolean> {
  const { out } = await desk.type(['runs', 'show', run]);
  return out.includes('✔ Done');
}

type Judge = (
  scene: Scene,
  run: string | undefined,
  before: Books,
  whole: Unbroken,
) => Promise<Pick<Finding, 'what' | 'typed'> | undefined>;

async function atActs(
  relation: Relation,
  choice: Choice,
  theatre: Theatre,
  judge: Judge,
  {
    isShared = false,
    early,
  }: { readonly isShared?: boolean; readonly early?: number | undefined } = {},
): Promise<readonly Finding[]> {
  if (!isAbout(choice)) return [];
  const whole = await unbroken(choice, theatre);
  const found: Finding[] = [];
  const acts = actsOf(choice, whole.acts, theatre.deaths);
  if (early !== undefined) acts.add(actAfter(early, whole.acts));
  for (const act of acts) {
    const goOn = (scene: Scene, run: string | undefined, before: Books): ReturnType<Judge> =>
      judge(scene, run, before, whole);
    const broken = await killedAt(choice, act, theatre, goOn, isShared);
    if (broken)
      found.push({ relation, choice, ...broken, what: `killed at ${act}: ${broken.what}` });
  }
  return found;
}

/** Some acts of a job, spread over all of them, others for each job; and its last one. */
function actsOf(choice: Choice, acts: number, count: number): Set<number> {
  const start = shareIn(choice, '');
  const spread = Array.from({ length: count }, (_none, at) => actAfter((at + start) / count, acts));
  return new Set([...spread, acts]);
}

/** The act after a part of all. */
function actAfter(part: number, acts: number): number {
  return 1 + Math.floor(part * acts);
}

/** A number from 0 to 1 that follows from a job. @param name of what it is for */
function shareIn(choice: Choice, name: string): number {
  return Number.parseInt(sha256(name + JSON.stringify(choice)).slice(0, 6), 16) / 0x1000000;
}

function wordsOf(books: Books): string {
  return Object.entries(books)
    .map(([key, n]) => `${n} ${key}`)
    .join(', ');
}
