/** Adds names to a profile of a configuration file; comments and everything else stay unchanged. */
import { ConfigError } from '../../base/error.ts';
import { Problems } from '../../language/problems.ts';
import { readSource } from '../../language/source.ts';
import { childOf, type MapNode, type SourceNode } from '../../language/text/node.ts';

/** An addition to a profile. */
export interface Addition {
  readonly key: 'account-id' | 'former-keys' | 'other-keys';
  /** The values to add: one for `account-id`; values that are already in a list are skipped. */
  readonly values: readonly string[];
}

/**
 * The text with the addition.
 * @throws ConfigError for a profile whose notation cannot be extended
 */
export function withAddition(text: string, file: string, profile: string, added: Addition): string {
  const { tree } = readSource(text, file, new Problems());
  const profiles = childOf(tree, 'profiles');
  const entry = profiles?.kind === 'map' ? profiles.entries.get(profile) : undefined;
  if (entry === undefined) throw unwritable(file, profile, added);
  const { value } = entry;
  if (value.kind === 'scalar' && value.value === null) {
    const colon = text.indexOf(':', entry.key.end) + 1;
    return spliced(text, colon, ` { ${lineOf(added)} }`);
  }
  if (value.kind !== 'map') throw unwritable(file, profile, added);
  const standing = value.entries.get(added.key)?.value;
  if (standing === undefined) return withKey(text, value, added);
  if (standing.kind !== 'list') throw unwritable(file, profile, added);
  return withItems(text, standing.items, standing, added);
}

function unwritable(file: string, profile: string, added: Addition): ConfigError {
  return new ConfigError(
    `${file}: cannot edit profile ${profile}`,
    `add it manually: ${lineOf(added)}`,
  );
}

function lineOf({ key, values }: Addition): string {
  const quoted = values.map((value) => JSON.stringify(value));
  return `${key}: ${key === 'account-id' ? quoted.join() : `[${quoted.join(', ')}]`}`;
}

function withKey(text: string, map: MapNode, added: Addition): string {
  if (text.charAt(map.start) === '{') {
    const comma = map.entries.size > 0 ? ',' : ' ';
    return spliced(text, map.start + 1, ` ${lineOf(added)}${comma}`);
  }
  const [first] = map.entries.values();
  const start = first?.key.start ?? map.start;
  const indent = ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
  const id = map.entries.get('account-id');
  // The line is added after the related id; without one it is added first, before any nested value.
  const line = text.indexOf('\n', id?.value.end ?? Infinity);
  if (id !== undefined && line !== -1) return spliced(text, line, `\n${indent}${lineOf(added)}`);
  return spliced(text, start, `${lineOf(added)}\n${indent}`);
}

function withItems(
  text: string,
  items: readonly SourceNode[],
  list: SourceNode,
  { values }: Addition,
): string {
  const known = items.map((item) => (item.kind === 'scalar' ? item.text.trim().toLowerCase() : ''));
  const fresh = values
    .filter((value) => !known.includes(value))
    .map((value) => JSON.stringify(value));
  const last = items.at(-1);
  if (fresh.length === 0) return text;
  if (text.charAt(list.start) === '[') {
    const end = last?.end ?? list.start + 1;
    return spliced(text, end, `${last === undefined ? '' : ', '}${fresh.join(', ')}`);
  }
  const end = last?.end ?? list.end;
  const start = items[0]?.start ?? list.start;
  const dash = text.lastIndexOf('-', start);
  const indent = ' '.repeat(dash - (text.lastIndexOf('\n', dash) + 1));
  const line = text.indexOf('\n', end);
  const lines = fresh.map((value) => `\n${indent}- ${value}`).join('');
  return spliced(text, line === -1 ? text.length : line, lines);
}

function spliced(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}
