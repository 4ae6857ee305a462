/** The playbook language's front door: text in, a proved playbook or every problem out. */
import { ordered } from './check/graph.ts';
import { checkMeaning } from './check/meaning.ts';
import { Includes, type Read, type ReadIncluded } from './includes.ts';
import type { OuterGuards } from './limits.ts';
import { parsePlaybook } from './parse.ts';
import type { Included, Playbook, Problem } from './playbook.ts';
import { Problems } from './problems.ts';
import { readSource } from './source.ts';
import { checkStructure } from './structure.ts';
import { Templates } from './template.ts';
import { childOf, textOf } from './text/node.ts';

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
  /** Limits of the profile of its account: what they would hold back is told. */
  readonly guards?: (account: string | undefined) => OuterGuards | undefined;
}

/** Checks a playbook completely, offline: all problems at once. */
export function loadPlaybook(
  text: string | Uint8Array,
  file: string,
  { include = () => undefined, guards }: Loading = {},
): Loaded {
  const problems = new Problems();
  let known: { readonly outer: OuterGuards | undefined } | undefined;
  // The outermost playbook is parsed first: its account is that of all within.
  const limits = (account: string | undefined): OuterGuards | undefined =>
    (known ??= { outer: guards?.(account) }).outer;
  const reader = (given: string | Uint8Array, name: string, all: Includes): Read | undefined =>
    readPlaybook(given, name, { problems, includes: all, guards: limits });
  const includes = new Includes(file, { problems, textOf: include, reader });
  const read = reader(text, file, includes);
  const told = { problems: problems.sorted(file), includes: includes.files() };
  if (read === undefined || problems.hasErrors) return told;
  return { ...told, playbook: { ...read.playbook, includes: includes.files() } };
}

interface Readers {
  readonly problems: Problems;
  readonly includes: Includes;
  readonly guards: (account: string | undefined) => OuterGuards | undefined;
}

function readPlaybook(
  text: string | Uint8Array,
  file: string,
  { problems, includes, guards }: Readers,
): Read | undefined {
  const { source, tree } = readSource(text, file, problems);
  if (tree === undefined) return undefined;
  checkStructure(tree, source, problems);
  const templates = new Templates(source, problems);
  const reading = { source, problems, includes, templates };
  const outer = guards(textOf(childOf(tree, 'account')));
  const parsed = parsePlaybook(tree, reading);
  const playbook = { ...parsed, steps: ordered(parsed.steps) };
  return {
    playbook,
    answer: checkMeaning(playbook, tree, { ...reading, ...(outer && { guards: outer }) }),
  };
}
