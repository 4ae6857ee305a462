/** How this program is started again: its command and its environment. */
import process from 'node:process';
import type { Environment } from '../config/secrets.ts';

export interface OwnProgram {
  /** The executable and the words before the command: flags of Node, and the script. */
  readonly command: readonly [string, ...string[]];
  /** The environment of this process: secrets are passed there, and never as arguments. */
  readonly env: Environment;
}

/** The program that runs this process. @param env of this process */
export function ownProgram(env: Environment): OwnProgram {
  // A debugger's port is in use already.
  const flags = process.execArgv.filter((flag) => !/^--(?:inspect|debug)/.test(flag));
  return { command: [process.execPath, ...flags, ...process.argv.slice(1, 2)], env };
}
