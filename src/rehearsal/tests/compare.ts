/** Compares the outcome of a playbook with the expectations of its test, section by section. */
import { isRecord, type Json } from '../../base/json.ts';
import { count, listed } from '../../base/text.ts';
import { childOf, textOf, type MapNode, type SourceNode } from '../../language/text/node.ts';
import { differences, ownValue, wordsOf, worded, type Mismatch, type Path } from './mismatch.ts';
import type { Observation } from './observation.ts';

/** All differences, in the order of the file. */
export function compare(expect: MapNode, seen: Observation): Mismatch[] {
  return [...expect.entries].flatMap(([section, { value }]) => {
    const look = sections[section];
    return look === undefined ? [] : look(value, seen, [section]);
  });
}

type Section = (node: SourceNode, seen: Observation, path: Path) => Mismatch[];

const sections: Readonly<Record<string, Section>> = {
  outcome: (node, { outcome, trouble }, path) =>
    differences(node, outcome, path).map((mismatch) =>
      trouble === undefined ? mismatch : { ...mismatch, got: `${outcome}, at ${trouble.message}` },
    ),
  exit: (node, { exit }, path) => differences(node, exit, path),
  error: (node, { trouble }, path) => differences(node, trouble?.code, path),
  plan: comparePlan,
  journal: (node, { journal }, path) => differences(node, journal, path),
  orders: (node, { orders }, path) => compareBook(node, orders, { path, kind: 'order' }),
  positions: (node, { positions }, path) =>
    compareBook(node, positions, { path, kind: 'position' }),
  files: compareFiles,
  outputs: (node, { outputs }, path) => differences(node, outputs, path),
  notices: compareNotices,
};

function comparePlan(node: SourceNode, { plan, trouble }: Observation, path: Path): Mismatch[] {
  if (plan === undefined) {
    const got = `no plan: ${trouble?.message ?? 'none was made'}`;
    return [{ path, node, expected: worded(node), got }];
  }
  const { writes, unchanged, later } = plan;
  const all = childOf(node, 'writes');
  const some = childOf(node, 'includes');
  return [
    ...(all?.kind === 'map' ? compareWrites(all, writes, [...path, 'writes']) : []),
    ...(some === undefined ? [] : differences(some, writes, [...path, 'includes'])),
    ...listDifferences(childOf(node, 'unchanged'), unchanged, [...path, 'unchanged']),
    ...listDifferences(childOf(node, 'later'), later, [...path, 'later']),
  ];
}

function listDifferences(
  node: SourceNode | undefined,
  got: readonly string[],
  path: Path,
): Mismatch[] {
  return node === undefined ? [] : differences(node, got, path);
}

/** Compares notices: an expected text is compared with the text alone. */
function compareNotices(node: SourceNode, { notices }: Observation, path: Path): Mismatch[] {
  const items = node.kind === 'list' ? node.items : [];
  const got = notices.map((notice, place) =>
    items[place]?.kind === 'map' ? jsonOf(notice) : notice.text,
  );
  return differences(node, got, path);
}

function jsonOf(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}

/** Compares writes. The addresses that the test lists must be complete. */
function compareWrites(
  node: MapNode,
  writes: Readonly<Record<string, Json>>,
  path: Path,
): Mismatch[] {
  const fields = fieldsNamed([...node.entries.values()].map(({ value }) => value));
  const others = Object.entries(writes).filter(([address]) => !node.entries.has(address));
  return [
    ...differences(node, writes, path),
    ...others.map(([address, input]) => {
      const value = narrowed(input, fields);
      return {
        path: [...path, address],
        node,
        expected: 'nothing',
        got: wordsOf(value),
        fix: { kind: 'add', key: address, value } as const,
      };
    }),
  ];
}

/** Compares orders or positions. Each listed one needs a match, and none may remain. */
function compareBook(
  node: SourceNode,
  records: readonly Json[],
  { path, kind }: { readonly path: Path; readonly kind: 'order' | 'position' },
): Mismatch[] {
  const items = node.kind === 'list' ? node.items : [];
  const left = [...records];
  const unfit = [...items.entries()].filter(([, item]) => {
    const fit = left.findIndex((record) => differences(item, record, []).length === 0);
    if (fit !== -1) left.splice(fit, 1);
    return fit === -1;
  });
  const fields = fieldsNamed(items);
  const mismatches = unfit.flatMap(([place, item]): Mismatch[] => {
    const record = left.shift(); // the next unmatched one is the most likely candidate
    const at = [...path, place];
    if (record !== undefined) return differences(item, record, at);
    const fix = { kind: 'delete' } as const;
    return [{ path: at, node: item, expected: worded(item), got: `no such ${kind}`, fix }];
  });
  return [
    ...mismatches,
    ...left.map((record, index) => {
      const value = narrowed(record, fields);
      const fix = { kind: 'add', value } as const;
      const at = [...path, items.length + index];
      return { path: at, node, expected: `no such ${kind}`, got: wordsOf(value), fix };
    }),
  ];
}

/** The most relevant fields of a write, an order or a position, which are compared if the test names none. */
const usualFields = [
  'account',
  'username',
  'accountMode',
  'leverage',
  'symbol',
  'side',
  'posSide',
  'size',
  'total',
  'qty',
  'price',
  'orderStatus',
];

/** The fields that any of these maps contains. */
function fieldsNamed(nodes: readonly SourceNode[]): readonly string[] {
  const named = nodes.flatMap((node) => (node.kind === 'map' ? [...node.entries.keys()] : []));
  return named.length === 0 ? usualFields : [...new Set(named)];
}

/** A record reduced to some fields; the whole record if it has none of them. */
export function narrowed(value: Json, fields: readonly string[] = usualFields): Json {
  if (!isRecord(value)) return value;
  const kept = fields
    .map((field) => [field, ownValue(value, field)] as const)
    .filter((pair): pair is [string, Json] => pair[1] !== undefined);
  return kept.length === 0 ? value : Object.fromEntries(kept);
}

function compareFiles(node: SourceNode, { files }: Observation, path: Path): Mismatch[] {
  if (node.kind !== 'map') return [];
  return [...node.entries].flatMap(([name, { value }]) => {
    const text = files.get(name)?.toString('utf8');
    const at = [...path, name];
    const isAbsent = textOf(value) === 'absent';
    if (isAbsent && text === undefined) return [];
    if (isAbsent) return [{ path: at, node: value, expected: 'absent', got: 'a file' }];
    if (text !== undefined) return compareText(value, text, at);
    const names = [...files.keys()].filter((each) => !each.endsWith('.manifest.json'));
    const got = names.length === 0 ? 'no file at all' : `only ${listed(names)}`;
    return [{ path: at, node: value, expected: 'a file', got }];
  });
}

function compareText(node: SourceNode, text: string, path: Path): Mismatch[] {
  const whole = childOf(node, 'text');
  const lines = childOf(node, 'lines');
  const found = text.split('\n');
  const length = text.endsWith('\n') ? found.length - 1 : found.length;
  return [
    ...(whole === undefined ? [] : wholeText(whole, text, [...path, 'text'])),
    ...containedText(childOf(node, 'contains'), text, [...path, 'contains']),
    ...(lines === undefined ? [] : differences(lines, length, [...path, 'lines'])),
  ];
}

/** Compares two texts and finds the first line that differs. */
function wholeText(node: SourceNode, text: string, path: Path): Mismatch[] {
  const wanted = textOf(node) ?? '';
  if (wanted === text) return [];
  const [a, b] = [wanted.split('\n'), text.split('\n')];
  const line = a.findIndex((each, index) => each !== b[index]);
  const at = line === -1 ? a.length : line;
  const say = (lines: readonly string[]): string => `line ${at + 1}: ${lines[at] ?? 'the end'}`;
  return [{ path, node, expected: say(a), got: say(b), fix: { kind: 'set', value: text } }];
}

function containedText(node: SourceNode | undefined, text: string, path: Path): Mismatch[] {
  const parts = node?.kind === 'list' ? node.items : node === undefined ? [] : [node];
  return parts
    .filter((part) => !text.includes(textOf(part) ?? ''))
    .map((part) => ({
      path,
      node: part,
      expected: worded(part),
      got: `nowhere in its ${count(text.length, 'character')}`,
    }));
}
