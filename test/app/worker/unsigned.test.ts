/** A worker writes to a demo or live account only when its profile requires signatures; what it says names which. */
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/app/config/load.ts';
import { refuseUnsigned } from '../../../src/app/worker/served.ts';
import type { Destination } from '../../../src/engine/journal/entry.ts';
import { folderWith } from '../../cli/deskhand.ts';

const profiles = `profiles:
  main: { target: live, base-url: "https://exchange.example", account-id: desk, secrets: { env: MAIN } }
  paper: { target: live, demo: true, base-url: "https://exchange.example", account-id: paper, secrets: { env: PAPER } }
  box: { target: sandbox, base-url: "http://127.0.0.1:1", secrets: { env: BOX } }
`;

test.each<readonly [profile: string, target: Destination['target'], message: string | undefined]>([
  ['main', 'live', 'workers write to the live account main only with signed approvals'],
  ['paper', 'demo', 'workers write to the demo account paper only with signed approvals'],
  ['paper', 'sandbox', 'workers write to the demo account paper only with signed approvals'],
  ['gone', 'sandbox', 'workers write to the live account gone only with signed approvals'],
  ['box', 'sandbox', undefined],
])('profile %s in a plan for %s', async (profile, target, message) => {
  const cwd = folderWith({ 'deskhand.yaml': profiles });
  const config = await loadConfig({ cwd, env: {} });
  const refuse = (): void => refuseUnsigned([{ profile, target, host: 'here' }], config);
  if (message === undefined) expect(refuse).not.toThrow();
  else expect(refuse).toThrow(message);
});
