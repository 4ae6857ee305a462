/** The seal of a plan: a digest of each of its parts, so that a changed part has a name. */
import { canonicalJson, fieldOf, isRecord, sha256 } from '../../base/json.ts';

/** A part is a field of the plan, or one of its steps. */
type Part = readonly [name: string, value: unknown];

/** The seal of a plan's content: all fields except its id, its digest and the seal. */
export function sealOf(content: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    partsOf(content).map(([name, value]) => [name, sha256(canonicalJson(value)).slice(0, 16)]),
  );
}

/** The parts of a saved plan that its seal does not describe, as text; undefined if there are none. */
export function changedParts(saved: Readonly<Record<string, unknown>>): string | undefined {
  const { id: _id, digest: _digest, seal: kept, ...content } = saved;
  if (!isRecord(kept)) return undefined; // the digest alone decides
  const found = sealOf(content);
  const names = new Set([...Object.keys(kept), ...Object.keys(found)]);
  const changes = [...names].flatMap((name) => {
    const [before, now] = [fieldOf(kept, name), fieldOf(found, name)];
    if (before === now) return [];
    const change = before === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    return [`${name} was ${change}`];
  });
  return changes.length > 0 ? changes.join(' and ') : undefined;
}

function partsOf({ steps, ...fields }: Readonly<Record<string, unknown>>): readonly Part[] {
  const others = Object.entries(fields).filter(([, value]) => value !== undefined);
  const list: readonly unknown[] = Array.isArray(steps) ? steps : [];
  const named = list.map((step): Part => [`step ${String(fieldOf(step, 'id'))}`, step]);
  const order = list.map((step) => fieldOf(step, 'id'));
  return [...others, ...named, ['steps', Array.isArray(steps) ? order : steps]];
}
