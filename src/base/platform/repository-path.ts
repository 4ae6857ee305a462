import { thisSystem, type System } from './system.ts';

/** A path as repositories have it on every system: with slashes. Windows has backslashes as well. */
export function repositoryPath(path: string, system: System = thisSystem): string {
  return system === 'win32' ? path.replaceAll('\\', '/') : path;
}
