/** Other places where a process may run: another container, or another boot of the machine. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { folderWith } from './deskhand.ts';

/** Commands that start a process elsewhere. */
export interface Places {
  /** A new pid namespace at each use, with the same host name for all, as pods have. */
  readonly pod: readonly string[];
  /** This machine after a reboot, or a machine created from its image. */
  readonly restarted: readonly string[];
  /** A place where a folder is read-only. */
  readonly readingOnly: (folder: string) => readonly string[];
}

/** Real ones where `unshare` is permitted, else simulated ones. */
export function places(): Places {
  const real = realPlaces();
  const isPermitted = [real.pod, real.restarted].every(
    ([program = '', ...args]) => spawnSync(program, [...args, 'true']).status === 0,
  );
  return isPermitted ? real : simulatedPlaces();
}

const otherBoot = '00000000-0000-4000-8000-000000000000';

function realPlaces(): Places {
  const bootId = join(folderWith(), 'boot-id');
  writeFileSync(bootId, `${otherBoot}\n`);
  const mount = `mount --bind ${bootId} /proc/sys/kernel/random/boot_id && exec "$@"`;
  const unshare = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', '--uts'];
  return {
    pod: [...unshare, 'sh', '-c', 'hostname pod-0 && exec "$@"', 'sh'],
    restarted: ['unshare', '--mount', 'sh', '-c', mount, 'sh'],
    readingOnly: (folder) => {
      const again = `mount --bind ${folder} ${folder} && mount -o remount,ro,bind ${folder}`;
      return ['unshare', '--mount', 'sh', '-c', `${again} && exec "$@"`, 'sh'];
    },
  };
}

/** The process is an ordinary one, but reads another boot, namespace or host name. */
export function simulatedPlaces(): Places {
  const preload = pathToFileURL(join(import.meta.dirname, '..', 'support', 'elsewhere.mjs'));
  const seeing = (...names: readonly string[]): readonly string[] => [
    'env',
    `NODE_OPTIONS=--import=${preload.href}`,
    ...names.map((name) => `ELSEWHERE_${name}`),
  ];
  return {
    get pod() {
      pods += 1;
      return seeing(`PIDS=pid:[${pods}]`, 'HOST=pod-0');
    },
    restarted: seeing(`BOOT=${otherBoot}`),
    readingOnly: (folder) => seeing(`READ_ONLY=${folder}`),
  };
}

let pods = 0;
