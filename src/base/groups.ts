/** Groups items by key. */

/** Appends to the list of a key in place: with copies, n additions take n² steps. */
export function appendTo<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}
