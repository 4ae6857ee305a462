/** Equal parts of a playbook as one object, which YAML writes as an anchor and its aliases. */

/** A copy in which maps and lists with the same content are the same object. */
export function withSharedParts(
  content: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const known = new Map<string, unknown>();
  const shared = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value;
    const name = JSON.stringify(value);
    if (known.has(name)) return known.get(name);
    const copy = Array.isArray(value)
      ? value.map(shared)
      : Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shared(part)]));
    known.set(name, copy);
    return copy;
  };
  return Object.fromEntries(Object.entries(content).map(([key, part]) => [key, shared(part)]));
}
