/**
 * Loaded before a program, which then sees the boot ELSEWHERE_BOOT, the pid namespace
 * ELSEWHERE_PIDS, the host name ELSEWHERE_HOST, and a read-only folder ELSEWHERE_READ_ONLY.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import process from 'node:process';

const { ELSEWHERE_BOOT, ELSEWHERE_PIDS, ELSEWHERE_HOST, ELSEWHERE_READ_ONLY } = process.env;

function shown(name, file, text) {
  if (text === undefined) return;
  const real = fs[name];
  fs[name] = (path, ...given) => (path === file ? text : real(path, ...given));
}

shown('readFileSync', '/proc/sys/kernel/random/boot_id', ELSEWHERE_BOOT);
shown('readlinkSync', '/proc/self/ns/pid', ELSEWHERE_PIDS);
if (ELSEWHERE_HOST !== undefined) os.hostname = () => ELSEWHERE_HOST;

/** The error of a write; undefined for a path outside the folder. */
function refusal(syscall, path) {
  if (ELSEWHERE_READ_ONLY === undefined) return undefined;
  if (!String(path).startsWith(ELSEWHERE_READ_ONLY)) return undefined;
  const message = `EROFS: read-only file system, ${syscall} '${path}'`;
  return Object.assign(new Error(message), { errno: -30, code: 'EROFS', syscall, path });
}

const isRead = (flags) => flags === undefined || flags === 'r' || flags === fs.constants.O_RDONLY;

for (const name of ['mkdir', 'writeFile', 'rename', 'link', 'unlink', 'truncate', 'open']) {
  const [later, now] = [fs.promises[name], fs[`${name}Sync`]];
  const refused = ([path, flags]) =>
    name === 'open' && isRead(flags) ? undefined : refusal(name, path);
  fs.promises[name] = async (...given) => {
    const error = refused(given);
    if (error !== undefined) throw error;
    return later(...given);
  };
  fs[`${name}Sync`] = (...given) => {
    const error = refused(given);
    if (error !== undefined) throw error;
    return now(...given);
  };
}
syncBuiltinESMExports();
