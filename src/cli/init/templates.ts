/** The files `init` and `demo` write. */

import type { Family } from '../../exchange/api/family.ts';

export const firstPlaybook = 'playbooks/market-snapshot.yaml';
export const firstTest = 'playbooks/market-snapshot.test.yaml';

const playbook = `# yaml-language-server: $schema=../schemas/playbook.schema.json
playbook: 1
name: market-snapshot
description: Prices and funding of the USDT line as a table. It only reads.

inputs:
  category:
    type: enum
    values: [SPOT, USDT-FUTURES, COIN-FUTURES, USDC-FUTURES]
    default: USDT-FUTURES

steps:
  - id: tickers
    name: Every symbol of the line
    uses: market/list-tickers
    with:
      category: "{{ inputs.category }}"
    write:
      file: "out/tickers-{{ date run.time 'yyyy-MM-dd' }}.csv"
      columns:
        symbol: "{{ row.symbol }}"
        last: "{{ row.lastPrice }}"
        mark: "{{ default row.markPrice '' }}"
        funding: "{{ default row.fundingRate '' }}"
      sort: [symbol]
`;

const test = `# yaml-language-server: $schema=../schemas/playbook-test.schema.json
# Expected results of the playbook: \`deskhand test\` runs it on its own sandbox.
playbook-test: 1
playbook: market-snapshot.yaml

world: { time: 2026-01-31T08:00:00Z }

tests:
  - name: the table names every symbol and nothing is written to the account
    expect:
      outcome: done
      plan: { writes: {} }
      files:
        out/tickers-2026-01-31.csv: { contains: ["symbol,last,mark,funding", BTCUSDT, ETHUSDT] }
`;

/**
 * The configuration that a pipeline adds: its machines keep nothing, so the state is stored in the
 * repository.
 */
export const sharedState = `
# Claims, used plans and runs are stored on the branch deskhand-state of this repository, because the
# machines of a pipeline keep nothing. Protect that branch and deskhand-state-witness: no deletion, no
# force push, and only the pipeline may push to them (GitHub: import
# .github/rulesets/deskhand-state.json; GitLab: Settings, Repository, Protected branches).
# After the first run, add the root that \`deskhand doctor\` shows: state: { store: git, root: … }.
# See docs/state.md of deskhand.
state: { store: git }
`;

/** The first configuration. @param family of the accounts, if it is known */
const config = (
  family: Family | undefined,
): string => `# yaml-language-server: $schema=schemas/config.schema.json
# Accounts by name. A playbook names one with "account: NAME"; without one it runs on the built-in
# sandbox. Keys are never written here.
profiles:
  sandbox: {}
  main: ${own(family)} # the built-in sandbox, too, until you replace this line with the lines below
  # main:
  #   target: live
  #   base-url: https://…
  #   account-id: "…"                # its uid: it is one account with any key
  #   family: ${(family ?? 'classic').padEnd(21)} # ${family === undefined ? 'or unified: ' : ''}deskhand doctor reads it
  #   secrets: { env: MAIN }          # MAIN_API_KEY, MAIN_API_SECRET, MAIN_API_PASSPHRASE
  #   guards: { writes: 50, notional: 50000, order: 15000, distance: 5%, symbols: [BTCUSDT] }
`;

/** The account of the sandbox in which the real one is rehearsed. */
function own(family: Family | undefined): string {
  if (family === undefined) return '{}';
  return family === 'unified' ? '{ family: unified, as: unified }' : '{ family: classic }';
}

const ignore = `.deskhand/
out/
node_modules/
.env
*.secrets
`;

const editor = `{
  "yaml.schemas": {
    "schemas/playbook.schema.json": ["playbooks/*.yaml", "!playbooks/*.test.yaml"],
    "schemas/playbook-test.schema.json": ["playbooks/*.test.yaml"],
    "schemas/config.schema.json": ["deskhand.yaml"]
  }
}
`;

export const templates = { playbook, test, config, ignore, editor } as const;
