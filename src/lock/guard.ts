/** A second lock that the kernel keeps: it notices a live owner whose lock file was removed by hand. */
import { stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import process from 'node:process';
import { isCode } from '../base/error.ts';
import { sha256 } from '../base/json.ts';

export interface Guard {
  release(): void;
}

/** @returns `taken` when another process has it */
export type GuardOf = (file: string) => Promise<Guard | 'taken'>;

const nothing: Guard = { release: () => undefined };

/**
 * On Linux a name that is freed when its process ends. It reaches as far as a network namespace,
 * so nothing depends on it. The name holds the folder's inode and its path: two containers may each
 * have a state folder at one path, and a new folder may get the inode of one that was removed.
 */
export const kernelGuard: GuardOf = async (file) => {
  if (process.platform !== 'linux') return nothing;
  const { dev, ino } = await stat(dirname(file), { bigint: true });
  const bound = await bindName(`deskhand-${sha256(`${dev} ${ino} ${file}`).slice(0, 32)}`);
  return bound === 'taken' ? 'taken' : { release: () => void bound.close() };
};

/** None, for tests of what the lock file proves by itself. */
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
