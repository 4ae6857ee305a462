/** The playbook language's front door: text in, a proved playbook or every problem out. */
import { ordered } from './check/graph.ts';
import { checkMeaning } from './check/meaning.ts';
import { parsePlaybook } from './parse.ts';
import type { Playbook, Problem } from './playbook.ts';
import { Problems } from './problems.ts';
import { readSource } from './source.ts';
import { checkStructure } from './structure.ts';
import { Templates } from './template.ts';

export interface Loaded {
  /** Present exactly when no problem is an error. */
  readonly playbook?: Playbook;
  /** Sorted by position, none twice. */
  readonly problems: readonly Problem[];
}

/** Checks a playbook completely, offline: all problems at once. */
export function loadPlaybook(text: string | Uint8Array, file: string): Loaded {
  const problems = new Problems();
  const { source, tree } = readSource(text, file, problems);
  if (tree === undefined) return { problems: problems.sorted() };
  checkStructure(tree, source, problems);
  const reading = { source, problems, templates: new Templates(source, problems) };
  const parsed = parsePlaybook(tree, reading);
  const playbook = { ...parsed, steps: ordered(parsed.steps) };
  checkMeaning(playbook, tree, reading);
  const sorted = problems.sorted();
  return problems.hasErrors ? { problems: sorted } : { playbook, problems: sorted };
}
