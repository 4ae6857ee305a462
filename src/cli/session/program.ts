/** Programs of this machine. */
import { accessSync, constants, statSync } from 'node:fs';

/** Whether a file is there that this user may run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // it is somewhere else, or nowhere
  }
}
