/** The source of a secret: `env`, `file` or `exec` of a configuration file. */
import { dirname, resolve } from 'node:path';
import { underHome } from '../../base/platform/home.ts';
import { fieldsOf, inside, textIn, textsIn, wrong, type Fields } from './fields.ts';
import type { SecretSource } from '../../base/secret-source.ts';

/**
 * Reads the source of a secret. Paths are relative to the folder of their file; `~/` is the user's home.
 * @returns undefined if the field is absent
 * @throws ConfigError
 */
export function secretSourceIn(fields: Fields, key: string): SecretSource | undefined {
  const place = inside(fields, key);
  const value = fields.values[key];
  if (value === undefined) return undefined;
  const given = fieldsOf(value, place, ['env', 'file', 'exec']);
  if (Object.keys(given.values).length !== 1) {
    throw wrong(place, 'must have one of env, file and exec, never the secret itself');
  }
  const name = textIn(given, 'env');
  if (name !== undefined) return { kind: 'env', name };
  const path = textIn(given, 'file');
  const folder = dirname(fields.file);
  if (path === undefined) return { kind: 'exec', words: wordsOf(given), folder };
  return { kind: 'file', path: resolve(folder, underHome(path)) };
}

function wordsOf(given: Fields): readonly [string, ...string[]] {
  const value = given.values['exec'];
  if (typeof value === 'string' && /["'`$|;&<>\\]/.test(value)) {
    throw wrong(inside(given, 'exec'), 'uses no shell: write a list of words');
  }
  const words = typeof value === 'string' ? value.trim().split(/\s+/) : textsIn(given, 'exec');
  const [program, ...rest] = words ?? [];
  if (program === undefined || program === '') throw wrong(inside(given, 'exec'), 'is empty');
  return [program, ...rest];
}
