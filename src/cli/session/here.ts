/** What steps need on this machine: secrets of the profile, and programs. */
import { delimiter, join, resolve } from 'node:path';
import process from 'node:process';
import type { Here } from '../../plan/context.ts';
import type { Context } from '../context.ts';
import type { Work } from './work.ts';
import { isProgram } from './program.ts';

export function hereOf(session: Work, { terminal: { env } }: Context): Here {
  return {
    secret: (name) => session.secret(name),
    hasProgram: (name) => placesOf(name, env['PATH'] ?? '').some(isProgram),
  };
}

/** Where a program may be: its path in the workspace, or the folders of PATH. */
function placesOf(name: string, path: string): readonly string[] {
  if (name.includes('/')) return [resolve(process.cwd(), name)];
  return path.split(delimiter).map((folder) => join(folder === '' ? '.' : folder, name));
}
