/** The findings of `doctor` about the Restate server of a state store. */
import { StoreError } from '../../stores/store.ts';
import { adminOf, inspectRestate } from '../../stores/restate/admin.ts';
import type { DatabaseSettings } from '../../stores/settings.ts';
import { ok, warning, type Finding } from './finding.ts';

/**
 * @param url of the ingress
 * @param message what is known about the store so far; its service has answered
 */
export async function restateFindings(
  { admin }: Extract<DatabaseSettings, { readonly store: 'restate' }>,
  url: string,
  message: string,
): Promise<readonly Finding[]> {
  try {
    const { server, nodes } = await inspectRestate(adminOf(url, admin));
    const found = ok(
      'state store',
      `${message}; server ${server}, ${nodes === 1 ? 'one node' : `${nodes} nodes`}`,
    );
    return nodes > 1 ? [found] : [found, singleNode];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [
      ok('state store', message),
      warning(
        'state store',
        `version and nodes are unknown: ${error.message}`,
        'set state.admin to the address of its admin API, or run doctor where that is reachable',
      ),
    ];
  }
}

const singleNode = warning(
  'state store',
  'one node: its disk has the only copy of the state',
  'start three nodes with replication 2; after a restore of its folder: deskhand store restored',
);
