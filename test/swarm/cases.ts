/** All cases of a small playbook with every effect: where it dies, what fails, where it dies again. */
import { playStory, type Stage, type Verdict } from './play.ts';
import { everyEffect } from './story.ts';
import type { Family } from '../../src/exchange/api/family.ts';
import { wireFaults } from '../../src/rehearsal/simulation/wire-faults.ts';
import { answersAt } from '../support/answer-forms.ts';

type Trouble = Parameters<typeof everyEffect>[0];

const whens = ['before', 'after'] as const;
const secondDeaths = [3, 9, 17] as const; // acts of the second life: looking up, continuing, writing

/** How long the playbook is when nothing goes wrong. */
export async function lengthOf(
  stage: Stage,
  account: Omit<Trouble, 'deaths'> = {},
): Promise<Pick<Verdict, 'acts' | 'requests'>> {
  return playStory(everyEffect({ deaths: [], ...account }), stage);
}

/** One death, at every act of the disk and the wire. */
export function* oneDeath(acts: number): Generator<Trouble> {
  for (let act = 1; act <= acts; act++) for (const when of whens) yield { deaths: [{ act, when }] };
}

/** Two deaths: at every act of the first life, and at every one of the life that resumes it. */
export function* twoDeaths(acts: number): Generator<Trouble> {
  for (const { deaths } of oneDeath(acts)) {
    for (let act = 1; act <= acts; act++) {
      yield { deaths: [...deaths, { act, when: 'after' }] };
    }
  }
}

/** Every fault at every request, alone, with one death anywhere, and with a second one after it. */
export function* faultAndDeath({
  acts,
  requests,
}: Pick<Verdict, 'acts' | 'requests'>): Generator<Trouble> {
  for (const fault of wireFaults) {
    for (let nth = 1; nth <= requests; nth++) {
      const strike = { nth, fault };
      yield { strike, deaths: [] };
      for (let act = 1; act <= acts; act++) {
        yield { strike, deaths: [{ act, when: 'after' }] };
      }
      for (const again of secondDeaths) {
        const first = { act: Math.min(acts, 2 * nth), when: 'after' } as const;
        yield { strike, deaths: [first, { act: again, when: 'before' }] };
      }
    }
  }
}

/** Every death and every fault by itself on a live account, whose lists show orders or never do. */
export async function* onLive(stage: Stage): AsyncGenerator<Trouble> {
  for (const hides of [false, true]) {
    const account = { isLive: true, hides };
    const length = await lengthOf(stage, account);
    for (const trouble of oneDeath(length.acts)) yield { ...trouble, ...account };
    for (const trouble of faultAndDeath(length)) {
      if (trouble.deaths.length === 0) yield { ...trouble, ...account };
    }
  }
}

/** Every death and every fault at every request for a key of one family, whose orders are cancelled at the end. */
export async function* inFamily(
  family: Family,
  stage: Stage,
  isWhole = true,
): AsyncGenerator<Trouble> {
  const account = { family, cancels: true };
  const length = await lengthOf(stage, account);
  for (const trouble of oneDeath(length.acts)) yield { ...trouble, ...account };
  for (const trouble of faultAndDeath(length)) {
    if (isWhole || trouble.deaths.length === 0) yield { ...trouble, ...account };
  }
}

/** Plays cases and tells the broken ones. */
export async function playAll(
  cases: Iterable<Trouble> | AsyncIterable<Trouble>,
  stage: Stage,
  isMine: (place: number) => boolean = () => true,
): Promise<{ readonly played: number; readonly broken: readonly string[] }> {
  let played = 0;
  let place = 0;
  const broken: string[] = [];
  for await (const trouble of cases) {
    if (!isMine(place++)) continue;
    played += 1;
    const answers = answersAt(place);
    const verdict = await playStory(everyEffect({ ...trouble, answers }), stage);
    if (verdict.broken.length > 0) {
      broken.push(`${JSON.stringify(trouble)}: ${verdict.broken.join('; ')}`);
    }
  }
  return { played, broken };
}
