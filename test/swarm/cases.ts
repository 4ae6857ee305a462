/** All cases of a small playbook with every effect: where it dies, what fails, where it dies again. */
import { playStory, type Stage, type Verdict } from './play.ts';
import { everyEffect, type Story } from './story.ts';
import { wireFaults } from '../../src/rehearsal/wire.ts';

type Trouble = Pick<Story, 'strike' | 'deaths'>;

const whens = ['before', 'after'] as const;
const secondDeaths = [3, 9, 17] as const; // acts of the second life: looking up, going on, writing

/** How long the playbook is when nothing goes wrong. */
export async function lengthOf(stage: Stage): Promise<Pick<Verdict, 'acts' | 'requests'>> {
  return playStory(everyEffect({ deaths: [] }), stage);
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

/** Plays cases and tells the broken ones. */
export async function playAll(
  cases: Iterable<Trouble>,
  stage: Stage,
  isMine: (place: number) => boolean = () => true,
): Promise<{ readonly played: number; readonly broken: readonly string[] }> {
  let played = 0;
  let place = 0;
  const broken: string[] = [];
  for (const trouble of cases) {
    if (!isMine(place++)) continue;
    played += 1;
    const verdict = await playStory(everyEffect(trouble), stage);
    if (verdict.broken.length > 0) {
      broken.push(`${JSON.stringify(trouble)}: ${verdict.broken.join('; ')}`);
    }
  }
  return { played, broken };
}
