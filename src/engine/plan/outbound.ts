/** Effects outside the exchange: notifications, and programs of this machine. */
import type { Address, Entry } from '../journal/entry.ts';

export const outboundUses = ['notify/webhook', 'shell/run'] as const;
export type OutboundUse = (typeof outboundUses)[number];

/** Whether a step notifies another system, or starts a program. */
export function isOutbound(uses: string): uses is OutboundUse {
  return outboundUses.some((each) => each === uses);
}

/** The effects of a run outside the exchange, by address: sent, or tried. */
export function outboundIn(entries: readonly Entry[]): ReadonlyMap<Address, OutboundUse> {
  const uses = new Map<string, string>();
  const done = new Map<Address, OutboundUse>();
  for (const entry of entries) {
    if (entry.kind === 'started') for (const step of entry.steps) uses.set(step.id, step.uses);
    if (entry.kind === 'opened' && entry.uses !== undefined) uses.set(entry.step, entry.uses);
    if (entry.kind !== 'settled' || entry.outcome.kind === 'skipped') continue;
    const { address, outcome } = entry;
    // A guard, or a missing secret, program or file blocks the step before anything is sent.
    if (outcome.kind === 'failed' && unsent.has(outcome.code)) continue;
    const step = uses.get(address) ?? uses.get(address.replace(/\[[^\]]*\]$/, '')) ?? '';
    if (isOutbound(step)) done.set(address, step);
  }
  return done;
}

const unsent: ReadonlySet<string> = new Set([
  'config',
  'guard',
  'file-name',
  'file-changed',
  'file-elsewhere',
  'file-too-large',
]);
