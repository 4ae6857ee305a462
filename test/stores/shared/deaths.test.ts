/** A machine dies, is suspended or cut off anywhere in a run over a shared database; another continues. */
import { expect, test } from 'vitest';
import type { AnswerForms } from '../../../src/sandbox/world/world-settings.ts';
import { answersAt } from '../../support/answer-forms.ts';
import { booksOf, deathsIn, desks, toldBy } from '../market.ts';
import { entriesOn, runProcess, type Act, type Death, type Pause } from '../machine-process.ts';
import type { Defect } from './simulated.ts';
import { continued, ends, lengthOf, stage } from './stage.ts';

async function deathOf(dies: Death, answers: AnswerForms): Promise<readonly string[]> {
  const all = await stage(undefined, undefined, answers);
  const isWhole = await ends(runProcess(all.a, all.harness, desks, { dies }));
  all.pass();
  const broken = isWhole ? ['it did not die'] : await continued(all);
  return broken.map((what) => `${JSON.stringify(dies)} ${answers}: ${what}`);
}

test('a machine dies at each line, request and question', { timeout: 600_000 }, async () => {
  const broken: string[] = [];
  for (const [at, death] of [...deathsIn(await lengthOf(), { from: 1, oneOf: 4 })].entries()) {
    broken.push(...(await deathOf(death, answersAt(at))));
  }
  expect(broken).toEqual([]);
});

/** A process that is suspended at an act, until it is woken. */
class Sleep {
  wake = (): void => undefined;
  #note = (): void => undefined;
  readonly isAsleep = new Promise<void>((resolve) => (this.#note = resolve));
  readonly pauses: Pause;

  constructor(at: Death) {
    const until = (): Promise<void> => {
      this.#note();
      return new Promise((resolve) => (this.wake = resolve));
    };
    this.pauses = { ...at, until };
  }
}

interface Sleeps {
  /** Where A sleeps. */
  readonly a: Death;
  /** Where B sleeps meanwhile; default: B finishes the run first. */
  readonly b?: Death;
}

/** A is suspended; B takes the run over; A continues, before or after B has finished it. */
async function sleepOf(sleeps: Sleeps, defect?: Defect): Promise<readonly string[]> {
  const all = await stage(defect);
  const { harness, a, b } = all;
  const first = new Sleep(sleeps.a);
  const ofA = ends(runProcess(a, harness, desks, { pauses: first.pauses }));
  await Promise.race([first.isAsleep, ofA]);
  all.pass();
  await b.store.sync();
  const isKnown = (await entriesOn(b).catch(() => [])).length > 0;
  const second = new Sleep(sleeps.b ?? { at: 'request', nth: 0, when: 'before' });
  const ofB = isKnown
    ? ends(runProcess(b, harness, desks, { isResumed: true, pauses: second.pauses }))
    : Promise.resolve(true);
  await Promise.race([second.isAsleep, ofB]);
  first.wake();
  const isEnded = await ofA;
  second.wake();
  const broken = (await ofB) || isEnded ? [] : ['neither of them finished the run'];
  if (isKnown) await b.store.sync();
  const { done, doubts } = await toldBy(isKnown ? b : a);
  for (const [name, ids] of (await booksOf(harness)).byName) {
    if (ids.length > 1) broken.push(`${name} stands ${ids.length} times`);
    const isReported = ids.every((id) => done.has(id)) || doubts.has(name);
    if (!isReported) broken.push(`${name} is not reported`);
  }
  broken.push(...all.tracer.broken);
  return broken.map((what) => `${JSON.stringify(sleeps)}: ${what}`);
}

const tries = { timeout: 600_000 };

test(
  'a machine is suspended at each of them, and continues after another has finished the run',
  tries,
  async () => {
    const broken: string[] = [];
    for (const a of deathsIn(await lengthOf(), { from: 1, oneOf: 4 })) {
      broken.push(...(await sleepOf({ a })));
    }
    expect(broken).toEqual([]);
  },
);

/** Pairs of acts, the same few in `.ci/run`: all of them would take hours. */
function* bothAsleep(length: Record<Act, number>, oneOf: number): Generator<Sleeps> {
  const acts = [...deathsIn(length, { from: 1, oneOf: 1 })];
  for (const a of acts.filter((_act, at) => at % oneOf === 0)) {
    for (const b of acts.filter((_act, at) => at % (oneOf * 2) === 1)) yield { a, b };
  }
}

test('both are suspended, and the first continues in the middle of the second', tries, async () => {
  const broken: string[] = [];
  const length = { ...(await lengthOf()), push: 3 };
  for (const sleeps of bothAsleep(length, 9)) broken.push(...(await sleepOf(sleeps)));
  expect(broken).toEqual([]);
});

/** By the exchange's books, and by the transitions of the model. */
const signs = ['times', 'must not'];

test.each(['no-epoch', 'lease-is-the-fence'] as const)(
  'the planted defect %s is noticed',
  tries,
  async (defect) => {
    const broken: string[] = [];
    for (const sleeps of bothAsleep(await lengthOf(), 5)) {
      broken.push(...(await sleepOf(sleeps, defect)));
      if (signs.every((sign) => broken.some((what) => what.includes(sign)))) break;
    }
    for (const sign of signs) {
      expect(broken.filter((what) => what.includes(sign))).not.toEqual([]);
    }
  },
);
