/** Finds a member in a JSON text by its path. */

/**
 * The offset of the member, or of its innermost existing parent; of two equal keys the last counts.
 * @param text valid JSON
 */
export function offsetInJson(text: string, path: readonly string[]): number {
  const tokens = new RegExp(token, 'g');
  const containers: { readonly isList: boolean; name: string }[] = [];
  let isKey = false;
  let found = 0;
  let matched = 0; // names of the path at `found`
  const see = (offset: number): void => {
    const depth = containers.length;
    if (depth < matched || depth > path.length) return;
    if (!containers.every(({ name }, at) => name === path[at])) return;
    [found, matched] = [offset, depth];
  };
  for (let next = tokens.exec(text); next !== null; next = tokens.exec(text)) {
    const [word] = next;
    const inside = containers.at(-1);
    if (word === '}' || word === ']') {
      containers.pop();
      isKey = false;
    } else if (word === ',') {
      if (inside?.isList === true) inside.name = String(Number(inside.name) + 1);
      else isKey = true;
    } else if (isKey && inside !== undefined && word !== ':') {
      inside.name = String(JSON.parse(word));
      isKey = false;
    } else if (word !== ':') {
      see(next.index);
      if (word === '{' || word === '[') containers.push({ isList: word === '[', name: '0' });
      isKey = word === '{';
    }
  }
  return found;
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/;
