/** How this program is started again. */
import process from 'node:process';
import type { Environment } from '../config/secrets.ts';

export interface OwnProgram {
  /** The executable and what precedes the command: flags of Node, and the script. */
  readonly command: readonly [string, ...string[]];
  /** The environment of this process: secrets are passed there, and never as arguments. */
  readonly env: Environment;
}

/** @param env of this process */
export function ownProgram(env: Environment): OwnProgram {
  // A debugger's port is in use already.
  const flags = process.execArgv.filter((flag) => !/^--(?:inspect|debug)/.test(flag));
  return { command: [process.execPath, ...flags, ...process.argv.slice(1, 2)], env };
}
