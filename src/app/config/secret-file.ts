/** Reads files with secrets, after checking which other users may read or change them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { constants, open } from 'node:fs/promises';
import { messageOf } from '../../base/error.ts';
import { accessOfOthers } from '../../base/platform/modes.ts';
import { shellWord } from '../../base/text.ts';
import { CredentialError } from './credential-error.ts';

/** A file that is used although other users may read it. */
export interface OpenSecretFile {
  readonly message: string;
  readonly hint: string;
}

const bytesMax = 64 * 1024; // a key file is far smaller; a wrong path may be larger

type Report = (file: OpenSecretFile) => void;

interface Reports {
  readonly to: Report;
  /** Paths that were already reported. */
  readonly reported: Set<string>;
}

const reports = new AsyncLocalStorage<Reports>();
let ofCommand: Reports | undefined;

/**
 * Reports each file that other users may read, once, when it is used, for the only command line of this
 * process. To follow its work, as the other function does, makes each promise slower on Node 20 and 22.
 */
export function reportOpenSecretFiles(to: Report): void {
  ofCommand = { to, reported: new Set() };
}

/**
 * Does work, and reports each file that other users may read, once, when it is used. Works that run at the
 * same time report only their files.
 */
export function reportingOpenSecretFiles<T>(to: Report, work: () => T): T {
  return reports.run({ to, reported: new Set() }, work);
}

/**
 * Reads a file with a secret. Platforms mount secrets for a group or for all users (modes 0440 and 0444), so
 * these are used, with a report. A file that its group or all users may change is refused: they could replace
 * the key, or the address that a secret is sent to, and no platform mounts secrets so. A link is followed, as
 * to Kubernetes' `..data`; its target counts.
 * @param what the secret, for messages
 * @throws CredentialError
 */
export async function readSecretFile(path: string, what: string): Promise<string> {
  const toRead = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0); // opening a pipe must not block
  const handle = await open(path, toRead).catch((error: unknown) => {
    throw new CredentialError(`${what} cannot be read`, messageOf(error), error);
  });
  try {
    const found = await handle.stat();
    const { mode, size } = found;
    if (!found.isFile()) {
      throw new CredentialError(`${what} is not a file: ${path}`, 'write the values to a file');
    }
    checkMode(mode, path, what);
    if (size > bytesMax) throw new CredentialError(`${what} is larger than 64 KiB`, 'check it');
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** Refuses a file by its mode bits. They count for root as well, although root can open every file. */
function checkMode(mode: number, path: string, what: string): void {
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  const access = accessOfOthers(mode);
  if (access === 'write') {
    throw new CredentialError(
      `${what} can be changed by other users (mode ${shown})`,
      `chmod 600 ${shellWord(path)}`,
    );
  }
  const { to, reported } = reports.getStore() ?? ofCommand ?? {};
  if (access !== 'read' || reported === undefined || reported.has(path)) return;
  reported.add(path);
  to?.({
    message: `${what} is readable by other users (mode ${shown}), who could use the secret`,
    hint: `chmod 600 ${shellWord(path)}; in a container that has no other users, this is not a risk`,
  });
}
