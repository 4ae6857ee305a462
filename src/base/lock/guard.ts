/** A second lock kept by the kernel: it detects a running owner whose lock file was removed by hand. */
import { stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import { isCode } from '../error.ts';
import { sha256 } from '../json.ts';
import { thisSystem } from '../platform/system.ts';

export interface Guard {
  release(): void;
}

/** @returns `taken` when another process holds it */
export type GuardOf = (file: string) => Promise<Guard | 'taken'>;

const nothing: Guard = { release: () => undefined };

/**
 * On Linux, the guard is an abstract socket that is released when its process ends. The socket is only
 * visible in a network namespace, so nothing depends on it. Its name contains the folder's inode and
 * path: two containers may have a state folder at one path, and a new folder may get the inode of a
 * removed one.
 */
export const kernelGuard: GuardOf = async (file) => {
  if (thisSystem !== 'linux') return nothing;
  const { dev, ino } = await stat(dirname(file), { bigint: true });
  const bound = await bindName(`deskhand-${sha256(`${dev} ${ino} ${file}`).slice(0, 32)}`);
  return bound === 'taken' ? 'taken' : { release: () => void bound.close() };
};

/** A guard that does nothing, for tests of what the lock file alone proves. */
export const noGuard: GuardOf = async () => nothing;

function bindName(name: string): Promise<Server | 'taken'> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', (error) =>
      isCode(error, 'EADDRINUSE') ? resolve('taken') : reject(error),
    );
    server.listen(`\0${name}`, () => resolve(server));
  });
}
