/** SSH keys of invented people, and a file that allows them; generated once for each test file. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOfFile } from '../../support/cleanup.ts';

const folder = folderOfFile('keys-');

/** The file of a private key; the public key is next to it, with `.pub`. */
export function keyOf(name: string, type = 'ed25519'): string {
  const file = join(folder(), name);
  if (existsSync(file)) return file;
  const bits = type === 'rsa' ? ['-b', '2048'] : [];
  execFileSync('ssh-keygen', ['-q', '-t', type, ...bits, '-N', '', '-C', name, '-f', file]);
  return file;
}

/** The key type and key, as at the end of a line of allowed signers. */
export function publicOf(key: string): string {
  return readFileSync(`${key}.pub`, 'utf8').split(' ').slice(0, 2).join(' ');
}

/** A file of allowed signers. */
export function signersOf(lines: readonly string[], name = 'allowed_signers'): string {
  const file = join(folder(), name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}
