/** Other places where a process may run: another container, or another boot of the machine. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from './deskhand.ts';

/** Commands that start a process elsewhere; undefined, with a message, where that is not permitted. */
export interface Places {
  /** A separate pid namespace with the same host name for all, as pods have. */
  readonly pod: readonly string[];
  /** This machine after a reboot, or a machine created from its image. */
  readonly restarted: readonly string[];
  /** A place where a folder is read-only. */
  readonly readingOnly: (folder: string) => readonly string[];
}

export function places(): Places | undefined {
  const bootId = join(folderWith(), 'boot-id');
  writeFileSync(bootId, '00000000-0000-4000-8000-000000000000\n');
  const mount = `mount --bind ${bootId} /proc/sys/kernel/random/boot_id && exec "$@"`;
  const unshare = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', '--uts'];
  const found: Places = {
    pod: [...unshare, 'sh', '-c', 'hostname pod-0 && exec "$@"', 'sh'],
    restarted: ['unshare', '--mount', 'sh', '-c', mount, 'sh'],
    readingOnly: (folder) => {
      const again = `mount --bind ${folder} ${folder} && mount -o remount,ro,bind ${folder}`;
      return ['unshare', '--mount', 'sh', '-c', `${again} && exec "$@"`, 'sh'];
    },
  };
  for (const [program = '', ...args] of [found.pod, found.restarted]) {
    const { status, stderr } = spawnSync(program, [...args, 'true'], { encoding: 'utf8' });
    if (status === 0) continue;
    console.warn(
      `not tried, for it is not permitted here: ${program} ${args.join(' ')}: ${stderr}`,
    );
    return undefined;
  }
  return found;
}
