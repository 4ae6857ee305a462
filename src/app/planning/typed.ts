/** A playbook with the type of its outputs, for programs that are written against it. */
import type { Config } from '../config/load.ts';
import type { AppContext } from '../app-context.ts';
import { anything, type Type } from '../../language/expression/type.ts';
import { loadPlaybook } from '../../language/load.ts';
import type { Playbook } from '../../language/playbook.ts';
import { folderOf } from '../app-context.ts';
import { includedFrom, loadBytes } from './playbooks.ts';

export interface TypedPlaybook {
  readonly playbook: Playbook;
  readonly file: string;
  readonly outputs: Type;
}

/** @throws InvalidError when the playbook has errors, which are noted */
export function loadTyped(
  bytes: Uint8Array,
  path: string,
  config: Config,
  context: AppContext,
): TypedPlaybook {
  const playbook = loadBytes(bytes, path, config, context);
  let outputs = anything;
  const include = includedFrom(folderOf(context));
  loadPlaybook(bytes, playbook.file, { include, onOutputs: (type) => (outputs = type) });
  return { playbook, file: playbook.file, outputs };
}
