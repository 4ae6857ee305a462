/** The configuration of a desk that has only the embedded sandbox. */
import type { Config } from '../../src/app/config/load.ts';

export function sandboxConfig(stateDir: string): Config {
  return { stateDir, state: { store: 'local' }, profiles: new Map(), initial: 'sandbox' };
}
