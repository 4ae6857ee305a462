/** A playbook open in an editor: its problems, and the types of its paths. */
import type { Type } from '../../language/expression/type.ts';
import type { SeenPath } from '../../language/problems.ts';
import {
  loadPlaybook,
  type Loaded,
  type Loading,
  type ProfileLimits,
} from '../../language/load.ts';
import { Problems } from '../../language/problems.ts';
import { readSource } from '../../language/source.ts';
import { childOf, type SourceNode } from '../../language/text/node.ts';
import { probe } from './cursor.ts';

export interface Checked extends Loaded {
  readonly text: string;
  readonly file: string;
  /** The parsed YAML; absent when the text is not YAML. */
  readonly tree?: SourceNode;
  /** The paths of this file, in the order of checking. */
  readonly paths: readonly SeenPath[];
}

/** The environment of a check besides the text. */
export type Surroundings = Pick<Loading, 'include' | keyof ProfileLimits> & {
  /** The names of the profiles of deskhand.yaml. */
  readonly profiles?: readonly string[];
};

/**
 * Checks the text of a playbook.
 * @param file its path as on the command line
 */
export function checkedText(text: string, file: string, surroundings: Surroundings): Checked {
  const paths: SeenPath[] = [];
  const onPath = (seen: SeenPath): void => {
    if (seen.at.file !== file) return;
    // Only at the cursor does anyone ask for all names; a copy for each path would grow with both.
    paths.push(
      seen.root === probe ? { ...seen, roots: new Map([...seen.roots].map(asNow)) } : seen,
    );
  };
  const loaded = loadPlaybook(text, file, { ...surroundings, onPath });
  const { tree } = readSource(text, file, new Problems(), { hasAliases: true });
  return { ...loaded, text, file, paths, ...(tree && { tree }) };
}

/**
 * A name with a copy of its type: the set of completed steps grows while a playbook is checked.
 */
function asNow([name, type]: [string, Type]): [string, Type] {
  return [name, type.kind === 'record' ? { ...type, fields: new Map(type.fields) } : type];
}

/** Whether a YAML text is intended as a playbook, not a configuration, a test or a scenario. */
export function isPlaybook(text: string): boolean {
  const { tree } = readSource(text, '', new Problems(), { hasAliases: true });
  return tree === undefined ? /^playbook:/m.test(text) : childOf(tree, 'playbook') !== undefined;
}
