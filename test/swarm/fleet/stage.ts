/** Where seeds of the fleet are played: one world, put back to its birth for each of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { second } from '../../../src/base/clock.ts';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { worldClock, type WorldClock } from '../clocks.ts';
import { secondKey } from './field.ts';
import type { Story, Way } from './story.ts';

const start = Date.UTC(2026, 10, 20, 4, 0, 0);

export interface Stage {
  readonly clock: WorldClock;
  readonly sandbox: Sandbox;
  /** Folder of the disks of all machines. */
  readonly root: string;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const clock = worldClock(start);
  const sandbox = await openSandbox({ clock, limits: false });
  const { uid } = sandbox.accounts.hedge;
  const permissions = ['account-read', 'trade-read', 'account-write', 'trade-write'];
  sandbox.control('POST', 'keys', { uid, ...secondKey, permissions });
  sandbox.control('POST', 'snapshots', { name: 'birth' });
  const root = mkdtempSync(join(tmpdir(), 'fleet-'));
  return {
    clock,
    sandbox,
    root,
    close: async () => {
      rmSync(root, { recursive: true, force: true });
      await sandbox.close();
    },
  };
}

/** Where it lies. */
export function configOf({ spelling, isNamed }: Omit<Way, 'key'>): string {
  return `deskhand-${spelling}${isNamed ? '-named' : ''}.yaml`;
}

/** The configuration of a machine that reaches the account in this way. */
export function configText(story: Story, { spelling, isNamed }: Omit<Way, 'key'>): string {
  const { store, target, lease, onDoubt, guards } = story;
  const limits = Object.entries(guards).map(([name, limit]) => `${name}: ${limit}`);
  return [
    'profile: main',
    'profiles:',
    '  main:',
    `    target: ${target}`,
    `    base-url: ${addresses[target][spelling]}`,
    ...(isNamed ? ['    account-id: "7001"'] : []),
    `    on-doubt: ${onDoubt}`,
    ...(limits.length > 0 ? [`    guards: { ${limits.join(', ')} }`] : []),
    'state:',
    `  store: ${store}`,
    ...(store === 'git' ? [`  lease: ${Math.round(lease / second)}s`] : []),
    '',
  ].join('\n');
}

const addresses = {
  sandbox: ['http://127.0.0.1:8801', 'http://LocalHost:8801/'],
  live: ['https://exchange.test', 'https://Exchange.test:443/'],
} as const;
