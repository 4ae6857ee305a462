/** Which store a project keeps its state in. */
import { minute, type Millis } from '../base/clock.ts';

export type StateSettings =
  /** The state folder of this machine. */
  | { readonly store: 'local' }
  /** A ref of the repository the project is in. */
  | {
      readonly store: 'git';
      /** Name of a remote, or its address. */
      readonly remote: string;
      readonly ref: string;
      /** No one chose the ref: where an earlier version kept the state is looked at, too. */
      readonly isDefault?: true;
      /** The link of its first line; any beginning is believed when absent. */
      readonly root?: string;
      /** How long a machine has an account without saying that it is still there. */
      readonly lease: Millis;
      /** Who commits; from the environment or git's own settings when absent. */
      readonly name?: string;
      readonly email?: string;
    };

export const gitDefaults = {
  remote: 'origin',
  /** A branch, as hosts protect nothing else. */
  ref: 'refs/heads/deskhand-state',
  /** The default of earlier versions. */
  formerRef: 'refs/deskhand/state',
  lease: 5 * minute,
} as const;
