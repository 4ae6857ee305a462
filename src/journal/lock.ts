/** One writer per account: a lock file that names its owner, and that outlives no process. */
import { link, lstat, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DeskhandError, exits, isCode } from '../base/error.ts';
import { isRecord, sha256 } from '../base/json.ts';
import { accountOf } from './account.ts';
import type { Destination } from './entry.ts';
import { makeFolder } from './file.ts';

export interface AccountLock {
  release(): Promise<void>;
}

/** Another run writes on this account; nothing was sent. */
export class LockedError extends DeskhandError {
  constructor(owner: Owner | undefined) {
    const who = owner ? `run ${owner.run} (process ${owner.pid} on ${owner.host})` : 'another run';
    super(`${who} is writing on this account; nothing was sent`, {
      code: 'locked',
      actor: 'operator',
      exit: exits.heldBack,
      hint:
        owner && owner.host !== hostname()
          ? `when that machine is gone for good, remove the lock file ${owner.file}`
          : 'wait for it to end, or stop it, then run again',
    });
  }
}

/** Something stands where the lock of this account belongs, and does not say whose it is. */
class UnreadableLockError extends DeskhandError {
  constructor(file: string) {
    super(`the lock ${file} is damaged and does not say who writes here; nothing was sent`, {
      code: 'locked',
      actor: 'operator',
      exit: exits.heldBack,
      hint: 'when no other run writes on this account, remove it and run again',
    });
  }
}

interface Owner {
  readonly run: string;
  readonly pid: number;
  readonly host: string;
  /** Tells a process from a later one of the same number. */
  readonly born: string;
  readonly file: string;
}

/**
 * Takes the account for one run. The lock of a dead process of this machine is taken over; that
 * of another machine never is.
 * @throws LockedError
 */
export async function lockAccount(
  stateDir: string,
  destination: Destination,
  run: string,
): Promise<AccountLock> {
  return lockName(stateDir, accountOf(destination), run);
}

/**
 * The same for anything that only one process may do at a time.
 * @param name letters, digits and dashes
 * @param owner what it is told to whoever comes second
 * @throws LockedError
 */
export async function lockName(
  stateDir: string,
  name: string,
  owner: string,
): Promise<AccountLock> {
  const folder = join(stateDir, 'locks');
  await makeFolder(folder);
  const file = join(folder, `${name}.lock`);
  const born = await bornAt('self');
  const mine = { run: owner, pid: process.pid, host: hostname(), born, file };
  const guard = await bindName(`deskhand-${sha256(file).slice(0, 32)}`);
  if (guard === 'taken') throw new LockedError(await readOwner(file));
  try {
    await claim(file, mine);
  } catch (error) {
    guard?.close();
    throw error;
  }
  return {
    release: async () => {
      // A person may have removed it meanwhile, and another machine taken its place.
      if (isDeepStrictEqual(await readOwner(file), mine)) await rm(file, { force: true });
      guard?.close();
    },
  };
}

/** A lock as it lies there. */
export interface FoundLock {
  readonly file: string;
  /** `foreign`: of another machine, which cannot be seen from here. */
  readonly state: 'live' | 'dead' | 'foreign' | 'unreadable';
  readonly owner?: Pick<Owner, 'run' | 'pid' | 'host'>;
}

/** Every lock of a state folder; none is touched. */
export async function locksIn(stateDir: string): Promise<readonly FoundLock[]> {
  const folder = join(stateDir, 'locks');
  const names = await readdir(folder).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  });
  const found = names
    .filter((name) => name.endsWith('.lock'))
    .map(async (name): Promise<FoundLock> => {
      const file = join(folder, name);
      const owner = await readOwner(file);
      if (owner === undefined) return { file, state: 'unreadable' };
      if (owner.host !== hostname()) return { file, state: 'foreign', owner };
      return { file, state: (await isAlive(owner)) ? 'live' : 'dead', owner };
    });
  return Promise.all(found);
}

/** Puts our lock in place; `link` fails when one stands there already. */
async function claim(file: string, owner: Owner): Promise<void> {
  const mine = `${file}.${process.pid}`;
  // Synced, or a power cut could leave a lock that names nobody.
  await writeFile(mine, JSON.stringify(owner), { mode: 0o600, flush: true });
  try {
    for (let tries = 0; tries < 3; tries++) {
      try {
        await link(mine, file);
        return;
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
      }
      const other = await readOwner(file);
      if (other === undefined && !(await stands(file))) continue; // it was let go just now
      if (other === undefined) throw new UnreadableLockError(file);
      if (await isAlive(other)) throw new LockedError(other);
      await unlink(file);
    }
    throw new LockedError(await readOwner(file));
  } finally {
    await unlink(mine);
  }
}

/**
 * On Linux the kernel keeps a name for us and frees it when we die, so that two processes can
 * never take over one dead lock together. Elsewhere the file alone decides.
 */
function bindName(name: string): Promise<Server | 'taken' | undefined> {
  if (process.platform !== 'linux') return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', (error) =>
      isCode(error, 'EADDRINUSE') ? resolve('taken') : reject(error),
    );
    server.listen(`\0${name}`, () => resolve(server));
  });
}

async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isOwner(value) ? { ...value, file } : undefined;
  } catch {
    return undefined; // gone or half written: nobody we can name
  }
}

async function stands(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}

function isOwner(value: unknown): value is Owner {
  return (
    isRecord(value) &&
    typeof value['run'] === 'string' &&
    typeof value['pid'] === 'number' &&
    typeof value['host'] === 'string' &&
    typeof value['born'] === 'string'
  );
}

async function isAlive(owner: Owner): Promise<boolean> {
  if (owner.host !== hostname()) return true; // cannot be seen from here: believe it
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return !isCode(error, 'ESRCH');
  }
  return owner.born === '' || owner.born === (await bornAt(owner.pid));
}

/** Boot id and start tick of a process on Linux; '' where the system does not tell. */
async function bornAt(pid: number | 'self'): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${boot.trim()} ${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}
