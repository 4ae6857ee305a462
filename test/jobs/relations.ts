/** The relations by their names. */
import { brokenAgain } from './again.ts';
import { brokenChanges } from './changed.ts';
import type { Choice } from './features.ts';
import type { Finding, Relation } from './finding.ts';
import { brokenAnswers } from './answered.ts';
import { brokenLanguage } from './language.ts';
import { brokenPlan } from './planned.ts';
import { brokenElsewhere, brokenOnce, brokenResume } from './resumed.ts';
import { brokenNext } from './next.ts';
import type { Scene, Theatre } from './scene.ts';

type Check = (choice: Choice, theatre: Theatre) => Promise<readonly Finding[]>;

const inScene =
  (check: (scene: Scene) => Promise<readonly Finding[]>): Check =>
  (choice, theatre) =>
    theatre.play(choice, check);

/** What breaks a relation in a job: nothing, or each finding. */
export const brokenBy: Readonly<Record<Relation, Check>> = {
  language: inScene(brokenLanguage),
  plan: inScene(brokenPlan),
  resume: brokenResume,
  once: brokenOnce,
  again: brokenAgain,
  changed: brokenChanges,
  elsewhere: brokenElsewhere,
  next: brokenNext,
  answers: brokenAnswers,
};
