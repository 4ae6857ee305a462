/** The object of each run with the summary of its record, which counts only for the record it was made from. */
import type { Summary } from '../../shared/shared-runs.ts';
import { summaryObject } from './names.ts';
import type { Invocation, ObjectDefinition } from './object.ts';

export const summary: ObjectDefinition = {
  name: summaryObject,
  isLazy: false,
  exclusive: { put, clear },
  shared: { find },
  internal: ['clear'],
};

/** Stores a summary. One of a newer version for the same record stays. */
async function put(invocation: Invocation, stored: Summary): Promise<void> {
  const known = await find(invocation);
  const isOfSame = known?.lines === stored.lines && known.link === stored.link;
  if (isOfSame && known.version > stored.version) return;
  invocation.set('summary', stored);
}

async function clear(invocation: Invocation): Promise<void> {
  invocation.clear('summary');
}

function find(invocation: Invocation): Promise<Summary | undefined> {
  return invocation.get<Summary>('summary');
}
