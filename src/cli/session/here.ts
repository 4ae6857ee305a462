/** What steps need of this machine: secrets of the profile, and programs. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import process from 'node:process';
import type { Here } from '../../plan/context.ts';
import type { Context } from '../context.ts';
import type { Work } from './work.ts';

export function hereOf(session: Work, { terminal: { env } }: Context): Here {
  return {
    secret: (name) => session.secret(name),
    hasProgram: (name) => placesOf(name, env['PATH'] ?? '').some(isProgram),
  };
}

/** Where a program may be: its own path in the workspace, or the folders of PATH. */
function placesOf(name: string, path: string): readonly string[] {
  if (name.includes('/')) return [resolve(process.cwd(), name)];
  return path.split(delimiter).map((folder) => join(folder === '' ? '.' : folder, name));
}

/** Whether a file is there that this user may run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // it is somewhere else, or nowhere
  }
}
