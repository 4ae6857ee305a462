/** Entry point of the playbook language: from a text to a validated playbook or all its problems. */
import { checkAccountIds, checkProfile } from './check/step-accounts.ts';
import { ordered } from './check/graph.ts';
import { consequencesIn } from './check/consequences.ts';
import { checkMeaning } from './check/meaning.ts';
import { checkPrograms } from './check/programs.ts';
import { checkTotal } from './check/total.ts';
import { effortOf } from './expression/effort.ts';
import type { Type } from './expression/type.ts';
import { Includes, type Read, type ReadIncluded } from './includes.ts';
import type { OuterGuards } from './limits.ts';
import { parsePlaybook } from './parse.ts';
import type { Included, Playbook } from './playbook.ts';
import type { Problem } from './problem.ts';
import type { SourceRange } from './source-range.ts';
import { Problems, type SeenPath } from './problems.ts';
import { readSource } from './source.ts';
import { checkStructure } from './structure.ts';
import { Templates } from './template.ts';
import { childOf, textOf } from './text/node.ts';

export interface Loaded {
  /** Present if and only if no problem is an error. */
  readonly playbook?: Playbook;
  /** The problems, without duplicates: those of this file first, then by file and position. */
  readonly problems: readonly Problem[];
  /** The other files that the playbook uses, which may have problems. */
  readonly includes: readonly Included[];
}

/** Limits of the profile of a playbook's account. */
export interface ProfileLimits {
  /** The guards of the profile: steps that they would block are reported. */
  readonly guards?: (account: string | undefined) => OuterGuards | undefined;
  /** Maximum items of a for-each; default 10,000, at most 100,000. */
  readonly itemsMax?: (account: string | undefined) => number;
}

export interface Loading extends ProfileLimits {
  /** The source of nested playbooks; without it there are none. */
  readonly include?: ReadIncluded;
  /** Whether a run of the playbook started under the rules of `naming: 1`, which still apply to it. */
  readonly isBegun?: boolean;
  /** Whether a run of the playbook has started: what its version allowed is not refused. */
  readonly isResumed?: boolean;
  /** Called with the type of every path in an expression. */
  readonly onPath?: (seen: SeenPath) => void;
  /** Called with the type of the playbook's outputs. */
  readonly onOutputs?: (type: Type) => void;
}

/** Validates a playbook completely, offline: all problems at once. */
export function loadPlaybook(
  text: string | Uint8Array,
  file: string,
  options: Loading = {},
): Loaded {
  const {
    include = () => undefined,
    guards,
    itemsMax,
    isBegun = false,
    isResumed,
    onPath,
  } = options;
  const problems = new Problems(onPath);
  let known: { readonly outer: OuterGuards | undefined; readonly at?: SourceRange } | undefined;
  // The outermost playbook is parsed first: its account applies to all nested ones.
  const limits: Readers['guards'] = (account, at) => {
    if (known === undefined && itemsMax) effortOf(problems).allowItems(itemsMax(account));
    return (known ??= { outer: guards?.(account), ...(at && { at }) }).outer;
  };
  const reader = (given: string | Uint8Array, name: string, all: Includes): Read | undefined =>
    readPlaybook(given, name, { problems, includes: all, guards: limits, isBegun, isResumed });
  const includes = new Includes(file, { problems, textOf: include, reader });
  const read = reader(text, file, includes);
  if (read) options.onOutputs?.(read.answer);
  const { profile, accounts } = known?.outer ?? {};
  if (read && profile !== undefined && accounts) {
    if (known?.at) checkProfile(profile, known.at, accounts, problems);
    checkAccountIds(read.playbook, profile, accounts, problems);
    checkPrograms(read.playbook, profile, accounts, problems);
  }
  const findings = { problems: problems.sorted(file), includes: includes.files() };
  if (read === undefined || problems.hasErrors) return findings;
  return { ...findings, playbook: { ...read.playbook, includes: includes.files() } };
}

interface Readers {
  readonly problems: Problems;
  readonly includes: Includes;
  /** @param at location of the account in the file */
  readonly guards: (account: string | undefined, at?: SourceRange) => OuterGuards | undefined;
  readonly isBegun: boolean;
  readonly isResumed: boolean | undefined;
}

function readPlaybook(
  text: string | Uint8Array,
  file: string,
  { problems, includes, guards, isBegun, isResumed = isBegun }: Readers,
): Read | undefined {
  const { source, tree } = readSource(text, file, problems, { hasAliases: true });
  if (tree === undefined) return undefined;
  checkStructure(tree, source, problems);
  const templates = new Templates(source, problems);
  const reading = { source, problems, includes, templates, isBegun, isResumed };
  const account = childOf(tree, 'account');
  const outer = guards(textOf(account), account && source.of(account));
  const parsed = parsePlaybook(tree, reading);
  const playbook = { ...parsed, steps: ordered(parsed.steps) };
  if (!isBegun) checkTotal(playbook, problems);
  const answer = checkMeaning(playbook, tree, { ...reading, ...(outer && { guards: outer }) });
  problems.dropFrom(file, (own) => consequencesIn(own, tree, source.text));
  return { playbook, answer };
}
