/** The playbook language's front door: text in, a proved playbook or every problem out. */
import { ordered } from './check/graph.ts';
import { checkMeaning } from './check/meaning.ts';
import { Includes, type Read, type ReadIncluded } from './includes.ts';
import { parsePlaybook } from './parse.ts';
import type { Included, Playbook, Problem } from './playbook.ts';
import { Problems } from './problems.ts';
import { readSource } from './source.ts';
import { checkStructure } from './structure.ts';
import { Templates } from './template.ts';

export interface Loaded {
  /** Present exactly when no problem is an error. */
  readonly playbook?: Playbook;
  /** Those of this file first, then by file and position; none twice. */
  readonly problems: readonly Problem[];
  /** Other files it uses: problems may stand in them. */
  readonly includes: readonly Included[];
}

export interface Loading {
  /** Where playbooks come from that steps use by path; without it there are none. */
  readonly include?: ReadIncluded;
}

/** Checks a playbook completely, offline: all problems at once. */
export function loadPlaybook(
  text: string | Uint8Array,
  file: string,
  { include = () => undefined }: Loading = {},
): Loaded {
  const problems = new Problems();
  const reader = (given: string | Uint8Array, name: string, all: Includes): Read | undefined =>
    readPlaybook(given, name, { problems, includes: all });
  const includes = new Includes(file, { problems, textOf: include, reader });
  const read = readPlaybook(text, file, { problems, includes });
  const told = { problems: problems.sorted(file), includes: includes.files() };
  if (read === undefined || problems.hasErrors) return told;
  return { ...told, playbook: { ...read.playbook, includes: includes.files() } };
}

function readPlaybook(
  text: string | Uint8Array,
  file: string,
  { problems, includes }: { readonly problems: Problems; readonly includes: Includes },
): Read | undefined {
  const { source, tree } = readSource(text, file, problems);
  if (tree === undefined) return undefined;
  checkStructure(tree, source, problems);
  const reading = { source, problems, includes, templates: new Templates(source, problems) };
  const parsed = parsePlaybook(tree, reading);
  const playbook = { ...parsed, steps: ordered(parsed.steps) };
  return { playbook, answer: checkMeaning(playbook, tree, reading) };
}
