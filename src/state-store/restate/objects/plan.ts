/** One object for each plan that machines share: its sealed file, which never changes. */
import { planObject } from './names.ts';
import type { Invocation, ObjectDefinition } from './object.ts';

export const plan: ObjectDefinition = {
  name: planObject,
  isLazy: false,
  exclusive: { put },
  shared: { find },
  internal: [],
};

async function put(invocation: Invocation, { text }: { readonly text: string }): Promise<boolean> {
  const stored = await find(invocation);
  if (stored === undefined) invocation.set('text', text);
  return stored === undefined || stored === text;
}

function find(invocation: Invocation): Promise<string | undefined> {
  return invocation.get<string>('text');
}
