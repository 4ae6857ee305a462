/** The account family that an operation serves: on the real exchange a key belongs to one of them. */
import { ConfigError } from '../../base/error.ts';
import type { Operation } from './operation.ts';
import { operationOf, type OperationName } from './operations/index.ts';

/** `classic`: accounts of the v2 paths. `unified`: accounts of the v3 paths. */
export const families = ['classic', 'unified'] as const;

export type Family = (typeof families)[number];

/**
 * The family whose keys an operation serves; undefined if it serves the keys of both. Public paths need
 * no key, and those of brokers are about an agent, not about an account.
 */
export function familyOf({ access, path }: Pick<Operation, 'access' | 'path'>): Family | undefined {
  if (access === 'public') return undefined;
  if (path.startsWith('/api/v3/')) return 'unified';
  return path.startsWith('/api/v2/') ? 'classic' : undefined;
}

/** Operations that do the same for each family. */
const pairs: readonly Readonly<Record<Family, OperationName>>[] = [
  { classic: 'futures/place-order', unified: 'trade/place-order' },
  { classic: 'futures/get-order', unified: 'trade/get-order' },
  { classic: 'futures/cancel-order', unified: 'trade/cancel-order' },
  { classic: 'futures/list-open-orders', unified: 'order/list-open' },
  { classic: 'futures/list-closed-orders', unified: 'order/list-history' },
  { classic: 'futures/list-positions', unified: 'trade/list-positions' },
  { classic: 'futures/get-account', unified: 'account/get-settings' },
  { classic: 'futures/set-leverage', unified: 'account/set-leverage' },
];

/** An operation that an account cannot use, and what its family has instead. */
export interface WrongFamily {
  readonly message: string;
  readonly hint: string;
}

/** Why accounts of a family cannot use an operation; undefined if they can. */
export function wrongFamily(name: OperationName, family: Family): WrongFamily | undefined {
  const served = familyOf(operationOf(name));
  if (served === undefined || served === family) return undefined;
  const other = pairs.find((pair) => pair[served] === name)?.[family];
  return {
    message: `${name} serves ${served} accounts, and this one is ${family}`,
    hint:
      other === undefined
        ? `no operation does the same for ${family} accounts`
        : `use ${other}; its fields have other names: deskhand explain ${other}`,
  };
}

/** Whether an operation serves accounts of a family; each serves one that is not known. */
export function serves(name: OperationName, family: Family | undefined): boolean {
  return family === undefined || wrongFamily(name, family) === undefined;
}

/** An operation was refused before it was sent: it serves accounts of the other family. */
export class WrongFamilyError extends ConfigError {
  constructor({ message, hint }: WrongFamily) {
    super(message, hint);
  }
}
