/** A sandbox that accepts a clientOid twice, for the machines of one test. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { startSandboxIn } from '../cli/sandbox.ts';
import { control } from '../cli/under-way.ts';
import type { Site } from './machine.ts';
import type { PostgresServer } from './server.ts';

export async function siteOn(server: PostgresServer): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  const exchange = await startSandboxIn(folder);
  await control(exchange, 'POST', 'config', { duplicateClientOid: 'accept' });
  const { baseUrl, controlUrl } = exchange;
  const { uid } = JSON.parse(readFileSync(exchange.readyFile, 'utf8')).accounts.hedge;
  // Of the account, the profile names the address.
  const { DESKHAND_BASE_URL: _address, ...env } = exchange.env('hedge');
  return { folder, launcher: inject('launcher'), server, baseUrl, controlUrl, uid, env };
}
