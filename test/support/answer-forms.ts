/** Which cases of a proof have a sandbox that answers in the forms of real responses. */
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { AnswerForms } from '../../src/sandbox/world/world-settings.ts';

/** Half of the cases, two by two: often two neighbours differ only in whether they are before or after an act. */
export function answersAt(place: number): AnswerForms {
  return Math.floor(place / 2) % 2 === 0 ? 'interface' : 'real';
}

/** @param answers of every response from now on */
export function answerAs(answers: AnswerForms, { control }: Pick<Sandbox, 'control'>): void {
  control('POST', 'config', { quirks: { answers } });
}
