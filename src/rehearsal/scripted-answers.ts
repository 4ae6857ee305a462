/** Who answers the questions of a playbook in a private world: nobody is asked. */
import { minute } from '../base/clock.ts';
import type { Clock } from '../base/clock.ts';
import type { Answers } from '../engine/effects/people.ts';
import type { Answer } from '../engine/journal/people-answers.ts';

/** How a question is answered; `none`: its time ends. */
export const answerWords = ['approve', 'decline', 'none'] as const;
export type ScriptedAnswer = (typeof answerWords)[number];

const thinking = minute; // before an answer

/** Answers by the address of the step that asks; all others approve. */
export function scriptedAnswers(
  chosen: ReadonlyMap<string, ScriptedAnswer>,
  clock: Clock,
): Answers {
  return {
    wait: async ({ address, of = [], count = 1 }, ms, stopped) => {
      const word = chosen.get(address) ?? 'approve';
      await clock.sleep(word === 'none' ? ms : Math.min(thinking, ms), stopped);
      if (word === 'none') return undefined;
      const answers = Array.from({ length: count }, (_, index): Answer => {
        const who = of[index] ?? `person ${index + 1}`;
        return { who, key: 'none', at: clock.now(), text: '' };
      });
      const [answer = { who: 'person 1', key: 'none', at: clock.now(), text: '' }] = answers;
      return word === 'decline' ? { verdict: 'decline', answer } : { verdict: 'approve', answers };
    },
    confirm: () => Promise.resolve(),
  };
}
