/** The playbooks that a branch changes, directly or through one they use. */
import { existsSync } from 'node:fs';
import { UsageError } from '../../base/error.ts';
import { readInside, workspaceOf } from '../../base/workspace.ts';
import { loadPlaybook } from '../../language/load.ts';
import { looksLikePlaybook } from '../../language/recognize.ts';
import { unreadCheckoutIn } from '../../app/machine/unread-checkout.ts';
import { changedFiles } from '../../app/machine/git.ts';
import { GitError } from '../../stores/git/command.ts';
import { playbooksHere } from '../../app/config/playbook-files.ts';
import { includedHere } from '../../app/planning/playbooks.ts';

/**
 * Playbooks that changed since the branch started, in their own text or that of one they use. A
 * playbook that is only used by others is planned with them and not listed.
 * @throws UsageError when Git cannot find the ref
 */
export async function playbooksSince(
  ref: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const changed = await changedFiles(ref, { env });
  if (changed instanceof GitError) throw unreadable(ref, changed);
  const touched = new Set(changed);
  const candidates = new Set([...(await playbooksHere()).files, ...changed.filter(isPlaybook)]);
  const found = [...candidates].sort().map((file) => {
    const { includes } = loadPlaybook(readHere(file), file, { include: includedHere });
    return { file, uses: includes.map((included) => included.file) };
  });
  const used = new Set(found.flatMap(({ uses }) => uses));
  return found
    .filter(({ file, uses }) => [file, ...uses].some((name) => touched.has(name)))
    .flatMap(({ file }) => (used.has(file) ? [] : [file]));
}

/** The error for a ref that Git cannot compare: Git's reason, and what to do about it. */
function unreadable(ref: string, error: GitError): UsageError {
  const { message, said } = error;
  const what = `Git cannot tell what changed since ${JSON.stringify(ref)}`;
  const unread = unreadCheckoutIn(error);
  if (unread === undefined) {
    const isRef = /bad revision|unknown revision|no merge base|ambiguous argument|bad object/i;
    const shallow = 'in a pipeline, fetch the whole history (fetch-depth: 0)';
    const other = 'run the command in a checkout that Git can read';
    return new UsageError(`${what}: ${message}`, isRef.test(said) ? shallow : other);
  }
  return new UsageError(`${what}: ${unread.because}`, unread.hint);
}

/** Whether a path is a YAML file that starts like a playbook, in any folder. */
function isPlaybook(file: string): boolean {
  if (!/\.ya?ml$/.test(file) || /\.test\.ya?ml$/.test(file) || !existsSync(file)) return false;
  return looksLikePlaybook(readHere(file).toString('utf8'));
}

/** Reads a file of the branch, which anyone may have written: it must not leave the repository. */
function readHere(file: string): Buffer {
  return readInside(workspaceOf(process.cwd()), file);
}
