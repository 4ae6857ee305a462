/** The needs of steps on this machine: secrets of the profile, and programs. */
import { delimiter, resolve } from 'node:path';
import type { Here } from '../../engine/plan/plan-context.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import type { Work } from '../accounts/work.ts';
import { plannedContinuation } from '../../engine/effects/export/continuation.ts';
import { isProgram } from './program.ts';

export function hereOf(session: Work, context: AppContext): Here {
  return {
    secret: (name) => session.secret(name),
    hasProgram: (name) => placesOf(name, context).some(isProgram),
    continuationOf: (read) => plannedContinuation(read, folderOf(context)),
  };
}

/** Where a program may be: its path in the workspace, or the folders of PATH. */
function placesOf(name: string, context: AppContext): readonly string[] {
  if (name.includes('/')) return [resolve(folderOf(context), name)];
  const path = context.env['PATH'] ?? '';
  return path.split(delimiter).map((folder) => resolve(folderOf(context), folder, name));
}
