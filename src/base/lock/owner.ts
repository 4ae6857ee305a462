/** The holder of a lock or a claim: one process, in its pid namespace, on one boot of one machine. */
import { isRecord } from '../json.ts';
import type { Kernel } from './kernel.ts';

export interface Owner {
  /** Id in the machine file of the state folder; '' without one. */
  readonly machine: string;
  /** The host name of the machine. */
  readonly host: string;
  /** Digest of the boot id; '' if the system has none. */
  readonly boot: string;
  /** Pid and time namespace; '' if process ids prove nothing. */
  readonly namespace: string;
  readonly pid: number;
  /** Start time of the process, which tells it apart from a later process with the same id. */
  readonly born: string;
}

/** Whether an owner still runs. `unknown` never counts as ended. */
export type Life =
  | { readonly state: 'alive' }
  | { readonly state: 'dead' }
  | { readonly state: 'unknown'; readonly because: string };

/** Describes this process as an owner. */
export function ownerHere(machine: string, kernel: Kernel): Owner {
  const { boot, namespace, pid, born } = kernel;
  return { machine, host: kernel.host(), boot, namespace, pid, born };
}

/** Whether a process id means the same to both owners: elsewhere it names another process, or none. */
export function areBeside(one: Owner, other: Owner): boolean {
  return (['machine', 'host', 'boot', 'namespace'] as const).every(
    (key) => one[key] === other[key],
  );
}

/**
 * The only proof that a process ended: the same machine, in the same boot and pid namespace, has no
 * such process now, or one with another start time. Elsewhere the id means another process or none:
 * after a restart, in another container, on a copied machine.
 */
export function lifeOf(owner: Owner, here: Owner, kernel: Kernel): Life {
  const because = whyUnknown(owner, here);
  if (because !== undefined) return { state: 'unknown', because };
  const start = kernel.startOf(owner.pid);
  if (start === undefined) return { state: 'dead' };
  if (start === '' || owner.born === '') {
    return { state: 'unknown', because: 'the system does not report when that process started' };
  }
  return { state: start === owner.born ? 'alive' : 'dead' };
}

function whyUnknown(owner: Owner, here: Owner): string | undefined {
  if (owner.host !== here.host || owner.machine !== here.machine) return 'it is on another machine';
  if (owner.boot === '' || here.boot === '') return 'this system has no boot id to compare';
  if (owner.boot !== here.boot) return 'the machine was restarted since, or it is a copy';
  if (owner.namespace === '' || here.namespace === '') return 'its process ids are not valid here';
  if (owner.namespace !== here.namespace) return 'it is in another container';
  return undefined;
}

const pidMax = 2 ** 31 - 1;

/** Whether a value from a file or a ref has the format of an owner. */
export function isOwner(value: unknown): value is Owner {
  return (
    isRecord(value) &&
    isPid(value['pid']) &&
    ['machine', 'host', 'boot', 'namespace', 'born'].every((key) => typeof value[key] === 'string')
  );
}

/** Whether a value is a process id: the system reads 0 and negative ids as process groups. */
export function isPid(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= pidMax;
}
