/** Sessions in a folder, each in a file named by its digest. Several servers may share a state folder:
 * none writes the file of another's session, so none is lost when they begin at the same time, and one
 * that ended at one server has ended at all.
 */
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Millis } from '../../base/clock.ts';
import { isCode } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { syncFolder } from '../../base/platform/folder-sync.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { roles } from '../../app/config/role.ts';
import { makeFolder, replaceFile } from '../../engine/journal/file.ts';
import type { Session } from './session.ts';

export interface SessionFolder {
  /**
   * The session with a digest; undefined for one that did not begin, has ended, or whose file was
   * deleted.
   */
  find(digest: string): Session | undefined;
  /**
   * Begins a session. Removes expired sessions, and the oldest beyond the limit. @throws DiskError;
   * then the session has not begun
   */
  begin(digest: string, session: Session, now: Millis): Promise<void>;
  /**
   * Ends a session, which has ended here even if its file cannot be removed. @throws the error of
   * the system
   */
  end(digest: string): Promise<void>;
}

export function sessionFolder(folder: string, max: number): SessionFolder {
  const ended = new Set<string>();
  const pathOf = (digest: string): string => join(folder, `${digest}.json`);
  return {
    find: (digest) => (ended.has(digest) ? undefined : storedIn(pathOf(digest))),
    begin: async (digest, session, now) => {
      await makeFolder(folder);
      await replaceFile(pathOf(digest), `${JSON.stringify({ version: 1, ...session })}\n`);
      for (const other of await surplus(folder, { own: digest, max, now })) {
        await remove(pathOf(other));
      }
    },
    end: async (digest) => {
      ended.add(digest);
      await remove(pathOf(digest));
      await syncFolder(folder).catch(ignoreMissing); // it does not return after a crash
    },
  };
}

const fileName = /^([0-9a-f]{64})\.json$/;

/** Digests of expired sessions, and of the oldest beyond the limit; never the new one. */
async function surplus(
  folder: string,
  { own, max, now }: { readonly own: string; readonly max: number; readonly now: Millis },
): Promise<readonly string[]> {
  const others = (await readdir(folder)).flatMap((name) => {
    const digest = fileName.exec(name)?.[1];
    if (digest === undefined || digest === own) return [];
    return [{ digest, until: storedIn(join(folder, name))?.until ?? 0 }];
  });
  const oldest = others.toSorted((a, b) => a.until - b.until);
  const beyond = Math.max(0, oldest.length + 1 - max);
  return oldest.filter(({ until }, at) => at < beyond || until <= now).map(({ digest }) => digest);
}

/** Removes a file, which another server may have removed already. */
async function remove(path: string): Promise<void> {
  await unlink(path).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): void {
  if (!isCode(error, 'ENOENT')) throw error;
}

/**
 * The session in a file; undefined when the file is missing or damaged: then the person opens a new
 * link.
 */
function storedIn(path: string): Session | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readRegularSync(path).toString('utf8'));
  } catch (error) {
    if (isCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isRecord(value) || value['version'] !== 1) return undefined;
  const { who, role, until } = value;
  const known = roles.find((each) => each === role);
  if (known === undefined || typeof who !== 'string' || typeof until !== 'number') return undefined;
  return { who, role: known, until };
}
