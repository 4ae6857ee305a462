/** The first line of a saved plan: digests of its parts, to locate a change. */
import { isRecord, sha256 } from '../../base/json.ts';

/** Lines that form a part: a key of the plan, or one of its steps. */
interface Part {
  readonly name: string;
  readonly text: string;
}

/** The seal: the line above a plan's text. */
export function sealOf(body: string): string {
  const parts = partsOf(body).map(({ name, text }) => [name, shortDigest(text)]);
  return JSON.stringify({ seal: sha256(body), parts });
}

/**
 * The changed part of a saved plan, as text; undefined when it is unchanged.
 * @param seal its first line, without the line end
 */
export function brokenSeal(seal: string, body: string): string | undefined {
  if (seal === sealOf(body)) return undefined;
  const kept = partsIn(seal);
  if (kept === undefined) return 'its first line, the seal, was changed';
  const parts = partsOf(body);
  if (parts.length !== kept.length) return 'lines of it were added or removed';
  const changed = kept.filter(([, digest], at) => digest !== shortDigest(parts[at]?.text ?? ''));
  if (changed.length === 0) return 'its first line, the seal, was changed';
  return `${changed.map(([name]) => name).join(' and ')} was changed`;
}

const idStart = '      "id": "';

/**
 * The parts of a plan's text, by lines and not by syntax: a text that is not JSON anymore still has its
 * parts.
 */
function partsOf(body: string): Part[] {
  const parts: { name: string; lines: string[] }[] = [];
  let isInSteps = false;
  for (const line of body.split('\n')) {
    // Of the thousands of lines of a step few may match.
    const key = line.startsWith('  "') ? /^ {2}"([A-Za-z]+)":/.exec(line)?.[1] : undefined;
    const id = line.startsWith(idStart) ? /^ {6}"id": "(.*)",$/.exec(line)?.[1] : undefined;
    if (key !== undefined) isInSteps = key === 'steps';
    if (key !== undefined || (isInSteps && line === '    {')) {
      parts.push({ name: key ?? 'a step', lines: [] });
    }
    const part = parts.at(-1);
    if (part === undefined) parts.push({ name: 'its first bracket', lines: [line] });
    else part.lines.push(line);
    if (isInSteps && part !== undefined && id !== undefined) part.name = `step ${id}`;
  }
  return parts.map(({ name, lines }) => ({ name, text: lines.join('\n') }));
}

function partsIn(seal: string): readonly (readonly [string, string])[] | undefined {
  try {
    const read: unknown = JSON.parse(seal);
    const parts = isRecord(read) ? read['parts'] : undefined;
    if (!Array.isArray(parts) || sealLine(read, parts) !== seal) return undefined;
    return parts.map((part) => [String(part?.[0]), String(part?.[1])]);
  } catch {
    return undefined; // not JSON, therefore not a seal
  }
}

function sealLine(read: unknown, parts: unknown): string {
  return JSON.stringify({ seal: isRecord(read) ? read['seal'] : '', parts });
}

function shortDigest(text: string): string {
  return sha256(text).slice(0, 16);
}
