/** An object of Restate in memory: handlers are called as if each were alone. */
import type { Invocation } from '../../../src/stores/restate/objects/object.ts';
import type { Clock } from '../../../src/base/clock.ts';

/** @param answer of every call to another object */
export function invocationOver(
  values: Map<string, unknown>,
  { clock, answer }: { readonly clock?: Clock; readonly answer?: unknown } = {},
): Invocation {
  const unexpected = (): never => {
    throw new Error('not expected here');
  };
  return {
    key: 'desk/r-1',
    get: async <Value>(name: string) => values.get(name) as Value | undefined,
    set: (name, value) => void values.set(name, JSON.parse(JSON.stringify(value))),
    clear: (name) => void values.delete(name),
    clearAll: () => values.clear(),
    names: async () => [...values.keys()],
    now: async () => clock?.now() ?? unexpected(),
    call: async <Result>() => answer as Result,
    send: unexpected,
    record: unexpected,
    token: unexpected,
    over: new AbortController().signal,
    get streams() {
      return unexpected();
    },
  };
}
