/** Answers that people commit: a run that waits looks for them on the main branch of origin. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { second, type Clock, type Millis } from '../../base/clock.ts';
import type { ApprovalRules } from '../../engine/approval/check.ts';
import { signedIn, type SignedFile } from '../../engine/approval/record.ts';
import { GitError, gitIn, type Git } from '../../stores/git/command.ts';
import type { AppContext } from '../app-context.ts';

const pause: Millis = 20 * second; // between two fetches
const timeoutMs: Millis = 10 * second; // of one command
const filesMax = 100; // records of one run
const ref = 'refs/deskhand/answers';

/** The answers to a run that the last fetch brought; it begins another one after a pause. */
export type CommittedAnswers = (run: string) => readonly SignedFile[];

/**
 * Reads the configured folder of records on the branch that a clone of origin checks out. Without such a
 * folder in a repository with an origin there are none. Whether a record counts is decided by its signature.
 */
export function committedAnswers(
  { records }: ApprovalRules,
  { env, clock }: Pick<AppContext, 'env'> & { readonly clock: Clock },
): CommittedAnswers {
  if (records === undefined) return () => [];
  const folder = dirname(records);
  const git = gitIn({ folder, env, timeoutMs });
  const path = pathIn(git, folder, basename(records));
  let found: readonly SignedFile[] = [];
  let next = clock.monotonic();
  const fetch = async (run: string): Promise<void> => {
    const at = await path;
    found = (at === undefined ? undefined : await readAt(git, at, run)) ?? found;
    next = clock.monotonic() + pause;
  };
  return (run) => {
    if (clock.monotonic() < next) return found;
    next = Infinity; // until this one has ended
    // An origin that gives no answer delays no other look, and ends none.
    void fetch(run).catch(() => undefined);
    return found;
  };
}

/** The folder of records from the top of its repository; undefined without an origin. */
async function pathIn(git: Git, folder: string, name: string): Promise<string | undefined> {
  try {
    await git(['remote', 'get-url', 'origin']);
    const top = (await git(['rev-parse', '--show-toplevel'])).toString('utf8').trim();
    return join(relative(realpathSync(top), realpathSync(folder)), name).replaceAll('\\', '/');
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** The records of a run; undefined while origin gives no answer. */
async function readAt(
  git: Git,
  path: string,
  run: string,
): Promise<readonly SignedFile[] | undefined> {
  try {
    await git(['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', 'origin', `+HEAD:${ref}`]);
    const listed = await git(['ls-tree', '-z', '--name-only', '--full-tree', ref, `${path}/`]);
    const names = listed.toString('utf8').split('\0').slice(0, -1);
    const own = names.filter((name) => basename(name).startsWith(`${run}-`)).slice(0, filesMax);
    return await Promise.all(
      own.map(async (name) =>
        signedIn(await git(['cat-file', 'blob', `${ref}:${name}`]), `${name} in origin`),
      ),
    );
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}
