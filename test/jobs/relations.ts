/** The relations by their names. */
import type { Finding, Relation } from './finding.ts';
import { brokenLanguage } from './language.ts';
import { brokenPlan } from './planned.ts';
import type { Scene } from './scene.ts';

export const brokenBy: Readonly<Record<Relation, (scene: Scene) => Promise<readonly Finding[]>>> = {
  language: brokenLanguage,
  plan: brokenPlan,
};

export const relations = Object.keys(brokenBy) as readonly Relation[];
