/** The source of a secret: `env`, `file` or `exec` of a configuration file. */
import { dirname, resolve } from 'node:path';
import { underHome } from '../../base/platform/home.ts';
import type { SecretSource } from '../../base/secret-source.ts';
import { changed, inside, map, wrong, type Part, type Place } from './part.ts';
import { text, textOrTexts } from './scalars.ts';

/** The source of one secret, wherever a configuration file names one. */
export const secret: Part<SecretSource> = sourceOf({
  env: 'Name of the variable',
  file: 'File with the secret, mode 0600; others may read it, with a warning, and not change it',
  exec: 'Program that prints the secret; run without a shell, in this folder',
});

/**
 * A part with the source of secrets. Paths are relative to the folder of their file; `~/` is the user's home.
 * @param meaning of each way, for editors
 */
export function sourceOf(
  meaning: Readonly<Record<'env' | 'file' | 'exec', string>>,
): Part<SecretSource> {
  const ways = map(
    {
      env: text({ description: meaning.env }),
      file: text({ description: meaning.file }),
      exec: textOrTexts(meaning.exec),
    },
    { minProperties: 1, maxProperties: 1 },
  );
  return changed(ways, ({ env, file, exec }, place): SecretSource => {
    const given = [env, file, exec].filter((way) => way !== undefined);
    if (given.length !== 1) {
      throw wrong(place, 'must have one of env, file and exec, never the secret itself');
    }
    const folder = dirname(place.file);
    if (env !== undefined) return { kind: 'env', name: env };
    if (file !== undefined) return { kind: 'file', path: resolve(folder, underHome(file)) };
    return { kind: 'exec', words: wordsOf(exec ?? '', inside(place, 'exec')), folder };
  });
}

function wordsOf(given: string | readonly string[], place: Place): readonly [string, ...string[]] {
  if (typeof given === 'string' && /["'`$|;&<>\\]/.test(given)) {
    throw wrong(place, 'uses no shell: write a list of words');
  }
  const [program, ...rest] = typeof given === 'string' ? given.trim().split(/\s+/) : given;
  if (program === undefined || program === '') throw wrong(place, 'is empty');
  return [program, ...rest];
}
