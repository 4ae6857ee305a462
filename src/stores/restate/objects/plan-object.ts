/** The object of each plan that machines share: its sealed file, which never changes. */
import { deskOf, planObject, registryObject, runOf } from './names.ts';
import type { Invocation, ObjectDefinition } from './object.ts';

export const plan: ObjectDefinition = {
  name: planObject,
  isLazy: false,
  exclusive: { put, remove },
  shared: { find },
  internal: ['remove'],
};

async function put(invocation: Invocation, { text }: { readonly text: string }): Promise<boolean> {
  const stored = await find(invocation);
  if (stored !== undefined) return stored === text;
  invocation.set('text', text);
  const { key } = invocation;
  const at = await invocation.now();
  invocation.send(registryObject, deskOf(key), 'planned', { id: runOf(key), at });
  return true;
}

/** Deletes an outdated plan. */
async function remove(invocation: Invocation): Promise<void> {
  invocation.clear('text');
}

function find(invocation: Invocation): Promise<string | undefined> {
  return invocation.get<string>('text');
}
