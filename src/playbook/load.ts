/** The playbook language's front door: text in, a proved playbook or every problem out. */
import { InternalError } from '../base/error.ts';
import type { Playbook, Problem } from './playbook.ts';

export interface LoadOptions {
  /** Text of a playbook named in `uses: ./other.yaml`, or undefined when there is none. */
  readonly include?: (path: string) => string | undefined;
}

export interface Loaded {
  /** Present exactly when no problem is an error. */
  readonly playbook?: Playbook;
  /** Sorted by position, none twice. */
  readonly problems: readonly Problem[];
}

/** Checks a playbook completely, offline: all problems at once. */
export function loadPlaybook(
  _text: string | Uint8Array,
  _file: string,
  _options: LoadOptions = {},
): Loaded {
  throw new InternalError('not written yet');
}
