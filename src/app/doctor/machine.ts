/** Checks of this machine: its versions, and whether the state folder keeps its files. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, opendir, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { Clock } from '../../base/clock.ts';
import { windowsShut } from '../../base/platform/modes.ts';
import { hasFileModes, thisSystem, type System } from '../../base/platform/system.ts';
import { spoken } from '../../base/text.ts';
import { contractDigest } from '../../exchange/api/digest.ts';
import { replaceFile } from '../../engine/journal/file.ts';
import { describeError } from '../running/describe.ts';
import { version } from '../../base/version.ts';
import { failure, ok, unknown, warning, type Finding } from './finding.ts';

const recommendedNode = 22; // older versions get no fixes

export function versionsHere(): readonly Finding[] {
  const node = process.versions.node;
  const message = `deskhand ${version}, contract ${contractDigest().slice(0, 8)}, Node ${node}`;
  if (Number(node.split('.')[0]) >= recommendedNode) return [ok('versions', message)];
  return [
    warning(
      'versions',
      `${message}, which the Node project no longer fixes`,
      'deskhand works on 20.19 and later; install Node 22 or later when you can',
    ),
  ];
}

/** Whether runs can be recorded here: nothing is sent without its record. */
export async function stateFolder(
  stateDir: string,
  clock: Clock,
  system: System = thisSystem,
): Promise<readonly Finding[]> {
  if (!existsSync(stateDir)) {
    return [ok('state folder', `${stateDir} does not exist yet; the first run creates it`)];
  }
  return [
    await writing(stateDir, clock),
    await space(stateDir),
    await kind(stateDir),
    await others(stateDir, system),
  ];
}

async function writing(stateDir: string, clock: Clock): Promise<Finding> {
  const path = join(stateDir, `doctor-${randomUUID()}`);
  const before = clock.monotonic();
  try {
    await replaceFile(path, 'written, synced, renamed\n');
    await unlink(path);
  } catch (error) {
    const { message, hint } = describeError(error);
    return failure('state folder', `${stateDir}: ${message}`, hint ?? 'check the permissions');
  }
  const took = clock.monotonic() - before;
  const message = `${stateDir} takes a file, synced, in ${spoken(took)}`;
  if (took < 1_000) return ok('state folder', message);
  return warning('state folder', message, 'every write waits this long: use a local disk');
}

const gibibyte = 1024 ** 3;

async function space(stateDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(stateDir);
  const free = bavail * bsize;
  const message = `${(free / gibibyte).toFixed(1)} GiB are free`;
  if (free > gibibyte) return ok('disk', message);
  const fix = 'free some space: a run stops when less than 16 MiB are left';
  return free > gibibyte / 64 ? warning('disk', message, fix) : failure('disk', message, fix);
}

/** File systems that lose their files, by their magic numbers on Linux. */
const fleeting: Readonly<Record<number, string>> = {
  0x01021994: 'a disk in memory: its files are lost when the machine stops',
  0x858458f6: 'a disk in memory: its files are lost when the machine stops',
  0x794c7630: 'a container layer: its files are lost with the container',
};
const remote: Readonly<Record<number, string>> = {
  0x6969: 'a network disk (NFS)',
  0xff534d42: 'a network disk (CIFS)',
  0xfe534d42: 'a network disk (SMB)',
  0x01021997: 'a disk of another machine (9p)',
  0x65735546: 'a FUSE file system',
};

async function kind(stateDir: string): Promise<Finding> {
  const { type } = await statfs(stateDir);
  const gone = fleeting[type];
  if (gone !== undefined) {
    return warning(
      'file system',
      gone,
      'put the state folder on a permanent disk, or use state: git',
    );
  }
  const far = remote[type];
  if (far === undefined) return ok('file system', 'a local disk');
  return warning(
    'file system',
    `${far}: it may confirm writes too early`,
    'put the state folder on a local disk',
  );
}

/** Whether other users may read the state folder. Journals contain requests, so others need not read them. */
async function others(stateDir: string, system: System): Promise<Finding> {
  if (!hasFileModes(system)) {
    const message = `who may read ${stateDir} and files of secrets is not checked: this system has no file modes; ${windowsShut} admits only you`;
    return unknown('permissions', message);
  }
  const open = await openToOthers(stateDir);
  if (open === undefined) return ok('permissions', 'only you can read its files');
  const fix = `chmod -R go= ${stateDir}`;
  return warning('permissions', `${open} is readable by other users`, fix);
}

/** A file that others may read: in a folder that only its owner may enter there is none. */
async function openToOthers(stateDir: string): Promise<string | undefined> {
  const folders = [''];
  let looked = 0;
  for (const folder of folders) {
    const own = await lstat(join(stateDir, folder)).catch(() => undefined);
    if (own === undefined || (own.mode & 0o077) === 0) continue;
    for await (const entry of await opendir(join(stateDir, folder))) {
      if (looked++ === lookedMax) return undefined;
      const name = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(name);
      if (!entry.isFile()) continue;
      const found = await lstat(join(stateDir, name)).catch(() => undefined);
      if (found !== undefined && (found.mode & 0o077) !== 0) return name;
    }
  }
  return undefined;
}

const lookedMax = 10_000; // files and folders
