/** Paths of files as repositories name them. */
import { thisSystem, type System } from './system.ts';

/** The path with slashes, as on every system; Windows has backslashes as well. */
export function repositoryPath(path: string, system: System = thisSystem): string {
  return system === 'win32' ? path.replaceAll('\\', '/') : path;
}
