/** Environment variables: which a program needs to start, and how Windows spells them. */
import { thisSystem, type System } from './system.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The variables that programs on Windows need to find the system, their user and a temporary folder;
 * none is a secret.
 */
const ofWindows = [
  'SystemRoot SystemDrive windir ComSpec PATHEXT',
  'TEMP TMP USERNAME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA ProgramData',
].flatMap((line) => line.split(' '));

/**
 * The variables with these names and, on Windows, those that every program needs. Windows ignores the
 * case of names (`Path`), so it is ignored there.
 * @param isPassed names besides the list
 */
export function passedVariables(
  env: Variables,
  names: readonly string[],
  { system = thisSystem, isPassed = () => false }: Passing = {},
): Record<string, string> {
  const isWindows = system === 'win32';
  const folded = (name: string): string => (isWindows ? name.toUpperCase() : name);
  const all = new Set([...names, ...(isWindows ? ofWindows : [])].map(folded));
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && (all.has(folded(name)) || isPassed(folded(name)))
        ? [[name, value]]
        : [],
    ),
  );
}

interface Passing {
  readonly system?: System;
  readonly isPassed?: (name: string) => boolean;
}

/**
 * A copy that is read by our names: `process.env` ignores case on Windows, a copy of it does not.
 * The name of an input, after DESKHAND_VAR_, keeps its case.
 */
export function namedVariables(env: Variables, system: System = thisSystem): Variables {
  if (system !== 'win32') return { ...env };
  const entries = Object.entries(env).map(([name, value]) => {
    const upper = name.toUpperCase();
    const input = upper.startsWith(inputPrefix) ? name.slice(inputPrefix.length) : undefined;
    return [input === undefined ? upper : `${inputPrefix}${input}`, value];
  });
  return Object.fromEntries(entries);
}

const inputPrefix = 'DESKHAND_VAR_';
