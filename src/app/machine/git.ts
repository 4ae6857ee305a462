/** Git information about files here: their authors, and which ones a branch changes. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GitError, gitIn } from '../../stores/git/command.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import { unreadCheckoutIn, type UnreadCheckout } from './unread-checkout.ts';

/** The folder in which Git is asked, and its environment variables. */
type Folder = Pick<AppContext, 'env' | 'folder'>;

/** The output of a git command here; undefined if it fails, for example outside a repository. */
async function git(words: readonly string[], place: Folder): Promise<string | undefined> {
  return (await bytesOf(words, place))?.toString('utf8');
}

async function bytesOf(words: readonly string[], place: Folder): Promise<Buffer | undefined> {
  try {
    return await gitIn({ folder: folderOf(place), env: place.env })(words);
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/**
 * The committed contents of a path, relative to this folder or, with a leading slash, to the top of
 * the repository; undefined if it does not exist.
 */
export async function committedBytes(path: string, place: Folder): Promise<Buffer | undefined> {
  const name = path.startsWith('/') ? path.slice(1) : `./${path}`;
  return bytesOf(['cat-file', 'blob', `HEAD:${name}`], place);
}

/** Committed files that contain a text, with paths from the top of the repository. */
export async function filesNaming(words: string, place: Folder): Promise<readonly string[]> {
  const grep = ['grep', '-lzF', '--full-name', '-e', words, 'HEAD', '--', ':/'];
  const found = (await git(grep, place)) ?? ''; // git exits with 1 when nothing matches
  return found
    .split('\0')
    .filter((name) => name !== '')
    .map((name) => name.replace(/^HEAD:/, ''));
}

/**
 * The authors of the files in their current state: authors and co-authors of the last commit of each file,
 * and of every commit of this branch that changes one, under the address of the commit and that of
 * `.mailmap`. For a commit signed with SSH, the owner of its key, too.
 * @param signers the file of allowed signers
 */
export async function authorsOf(
  files: readonly string[],
  signers: string | undefined,
  place: Folder,
): Promise<readonly string[]> {
  if (!mayBeInRepository(place)) return [];
  const trust = signers === undefined ? [] : ['-c', `gpg.ssh.allowedSignersFile=${signers}`];
  const each = '%ae%n%aE%n%GS%n%(trailers:key=Co-authored-by,valueonly)';
  const log = [...trust, 'log', `--format=${each}`];
  const outputs = await Promise.all([
    ...files.map((file) => git([...log, '-1', '--', file], place)),
    git([...log, 'origin/HEAD..HEAD', '--', ...files], place),
  ]);
  const lines = outputs.flatMap((output) => (output ?? '').split('\n'));
  const names = lines.map((line) => (/<([^>]*)>/.exec(line)?.[1] ?? line).trim());
  return sorted(names);
}

/**
 * Whether Git would find a repository: this folder or one above has `.git`, or is one itself. Outside,
 * no program is started to learn that there are no commits.
 */
function mayBeInRepository(place: Folder): boolean {
  const folder = folderOf(place);
  if (!existsSync(folder)) return false;
  for (let at = realpathSync(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || existsSync(join(at, 'HEAD'))) return true;
    if (dirname(at) === at) return false;
  }
}

/** The person who makes a plan, as Git would name them in a commit. */
export async function personHere(place: Folder): Promise<readonly string[]> {
  return sorted([
    place.env['GIT_AUTHOR_EMAIL'] ?? '',
    (await git(['config', 'user.email'], place)) ?? '',
  ]);
}

/** The id of the current commit. */
export async function commitHere(place: Folder): Promise<string | undefined> {
  if (!mayBeInRepository(place)) return undefined;
  return (await git(['rev-parse', '--verify', 'HEAD'], place))?.trim();
}

/** The checkout here, if Git cannot read it: it belongs to another user, or Git is missing. */
export async function unreadCheckoutHere(place: Folder): Promise<UnreadCheckout | undefined> {
  if (!mayBeInRepository(place)) return undefined;
  try {
    await gitIn({ folder: folderOf(place), env: place.env })(['rev-parse', '--git-dir']);
    return undefined;
  } catch (error) {
    if (error instanceof GitError) return unreadCheckoutIn(error);
    throw error;
  }
}

function sorted(names: readonly string[]): readonly string[] {
  const clean = names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
  return [...new Set(clean)].sort();
}

/** The key that Git signs commits with over SSH: a file, or a literal key. */
export async function signingKeyHere(place: Folder): Promise<string | undefined> {
  const format = await git(['config', 'gpg.format'], place);
  if (format?.trim() !== 'ssh') return undefined;
  const key = await git(['config', '--type=path', 'user.signingkey'], place);
  return key?.trim() || undefined;
}

/**
 * Files that differ from the start of this branch: committed, changed or new, relative to this folder. If Git
 * cannot list them, the reason.
 */
export async function changedFiles(
  ref: string,
  place: Folder,
): Promise<readonly string[] | GitError> {
  if (ref.startsWith('-')) return new GitError('diff', 'fatal: it would be read as a flag');
  const diff = ['diff', '--name-only', '-z', '--relative', '--no-ext-diff', '--merge-base'];
  const run = gitIn({ folder: folderOf(place), env: place.env });
  try {
    // New files are listed first, because outside of a repository this command says so, and `diff` does
    // not.
    const added = await run(['ls-files', '--others', '--exclude-standard', '-z', '--', '.']);
    const changed = await run([...diff, ref, '--', '.']);
    const names = new Set(`${changed}\0${added}`.split('\0'));
    return [...names].filter((name) => name !== '').sort();
  } catch (error) {
    if (error instanceof GitError) return error;
    throw error;
  }
}
