/** Parts of an address by their names. */
export type Names = Readonly<Record<string, string>>;

/**
 * The named parts of a path.
 * @param pattern such as `/runs/{run}`
 * @returns undefined if the path does not match, or is not valid percent-encoding
 */
export function namesIn(pattern: string, path: string): Names | undefined {
  const parts = path.split('/');
  const wanted = pattern.split('/');
  if (parts.length !== wanted.length) return undefined;
  const names: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const found = parts[at] ?? '';
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name === undefined) {
      if (part !== found) return undefined;
      continue;
    }
    const value = decoded(found);
    if (value === undefined || value === '') return undefined;
    names[name] = value;
  }
  return names;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
