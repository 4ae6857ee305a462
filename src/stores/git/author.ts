/** Determines the author of state commits. */
import type { Author } from './chain.ts';
import type { Git } from './command.ts';

/** The author from the settings, the environment, or git's settings. Default: a fixed name. */
export function authorFrom(
  settings: { readonly name?: string; readonly email?: string },
  env: Readonly<Record<string, string | undefined>>,
  git: Git,
): () => Promise<Author> {
  const find = async (key: 'name' | 'email', usual: string): Promise<string> => {
    const upper = key.toUpperCase();
    const said = settings[key] || env[`GIT_AUTHOR_${upper}`] || env[`GIT_COMMITTER_${upper}`];
    const known = said || ((await own()).get(`user.${key}`) ?? '');
    // oxlint-disable-next-line no-control-regex
    return known.replaceAll(/[<>\u0000-\u001f]/g, '').trim() || usual;
  };
  let asked: Promise<ReadonlyMap<string, string>> | undefined;
  const own = (): Promise<ReadonlyMap<string, string>> => (asked ??= userIn(git));
  let found: Promise<Author> | undefined;
  return () => {
    found ??= (async () => ({
      name: await find('name', 'deskhand'),
      email: await find('email', 'deskhand@localhost'),
    }))();
    return found;
  };
}

/** Git's user settings: both are read in one process. */
async function userIn(git: Git): Promise<ReadonlyMap<string, string>> {
  const words = ['config', '-z', '--get-regexp', '^user\\.(name|email)$'];
  const said = await git(words).catch(() => ''); // neither is set
  const lines = said.toString().split('\0');
  return new Map(
    lines.map((line) => [line.split('\n', 1)[0] ?? '', line.replace(/^[^\n]*\n?/, '')]),
  );
}
