/** The owners of a profile's keys: its allowed signers and its passkeys. */
import { existsSync } from 'node:fs';
import { readRegular } from '../../base/read-file.ts';
import { namesOnLine } from './keygen.ts';
import { readPasskeys, type Passkey } from './passkey/keys.ts';

/** The files that name people. */
export interface PeopleFiles {
  /** File of allowed signers, as Git and ssh-keygen read it. */
  readonly signers: string;
  /** File of passkeys; default: none count. */
  readonly passkeys?: string;
}

export interface People {
  /** The passkeys of the profile; undefined if it names no file. */
  readonly passkeys: readonly Passkey[] | undefined;
  /**
   * All names of a person: the given names, and names that share a line of the allowed signers, or a
   * passkey, with one of the given names. So one person counts once, with keys of any kind.
   */
  namesOf(names: readonly string[]): readonly string[];
}

/** @throws ConfigError for a file of passkeys that is missing or not valid */
export async function readPeople({ signers, passkeys: file }: PeopleFiles): Promise<People> {
  const lines = existsSync(signers) ? (await readRegular(signers)).toString('utf8') : '';
  const passkeys = file === undefined ? undefined : await readPasskeys(file);
  const groups = [
    ...lines.split('\n').map((line) => namesOnLine(line).filter((name) => !isPattern(name))),
    ...keyHolders(passkeys ?? []),
  ];
  return {
    passkeys,
    namesOf: (names) => {
      const found = new Map(names.map((name) => [name.toLowerCase(), name]));
      for (let before = -1; before < found.size;) {
        before = found.size;
        for (const group of groups) {
          if (!group.some((name) => found.has(name.toLowerCase()))) continue;
          for (const name of group) {
            if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), name);
          }
        }
      }
      return [...found.values()];
    },
  };
}

/** Whether a principal matches many people. */
export function isPattern(name: string): boolean {
  return /[*?!]/.test(name);
}

/** People who share a passkey, by its public key. */
function keyHolders(passkeys: readonly Passkey[]): readonly (readonly string[])[] {
  const holders = new Map<string, string[]>();
  for (const { fingerprint, who } of passkeys) {
    const names = holders.get(fingerprint);
    if (names === undefined) holders.set(fingerprint, [who]);
    else names.push(who);
  }
  return [...holders.values()];
}
