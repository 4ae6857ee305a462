/** The folders of a user: `~` in a path, and the place of their settings. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ConfigError } from '../error.ts';
import type { Variables } from './environment.ts';
import { thisSystem, type System } from './system.ts';

/** The home of the user; none where HOME is not set and the user has no entry, as in a container, or HOME is relative. */
export function homeFolder(find = homedir): string | undefined {
  try {
    const found = find();
    return isAbsolute(found) ? found : undefined;
  } catch {
    return undefined; // the system has no entry for this user
  }
}

/**
 * A path with a leading `~/`, on Windows also `~\`, below the home of the user.
 * @throws ConfigError when the path has one and the user has no home
 */
export function underHome(
  path: string,
  system: System = thisSystem,
  home: () => string | undefined = homeFolder,
): string {
  const start = system === 'win32' ? /^~(?=[\\/])/ : /^~(?=\/)/;
  return path.replace(start, () => home() ?? refuse(path));
}

function refuse(path: string): never {
  throw new ConfigError(
    `this user has no home folder for ${path}`,
    'set HOME, or write the whole path',
  );
}

/**
 * Where programs keep the settings of a user: XDG_CONFIG_HOME, on Windows else APPDATA, else `~/.config`;
 * nowhere when the user has no home.
 */
export function settingsFolder(
  env: Variables,
  system: System = thisSystem,
  home: () => string | undefined = homeFolder,
): string | undefined {
  const ofWindows = system === 'win32' ? env['APPDATA'] : undefined;
  const named = env['XDG_CONFIG_HOME'] || ofWindows;
  if (named) return named;
  const found = home();
  return found === undefined ? undefined : join(found, '.config');
}
