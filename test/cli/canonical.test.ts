/** The canonical layout: formatting is idempotent and keeps the meaning and every comment. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Parser } from 'yaml';
import { canonicalText } from '../../src/language/canonical.ts';
import { loadPlaybook } from '../../src/language/load.ts';
import { readYaml } from '../../src/language/source.ts';

const root = join(import.meta.dirname, '..', '..');
const names = readdirSync(join(root, 'workflows')).map((name) => join('workflows', name));
const texts = [...names, 'test/language/complete.yaml']
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(join(root, name), 'utf8'));

/** Every comment of a text, in order, trimmed. */
function commentsIn(text: string): readonly string[] {
  const found: string[] = [];
  const walk = (token: unknown): void => {
    if (Array.isArray(token)) token.forEach(walk);
    else if (token !== null && typeof token === 'object') {
      if ('type' in token && token.type === 'comment' && 'source' in token) {
        found.push(String(token.source).trim());
      }
      Object.values(token).forEach(walk);
    }
  };
  walk([...new Parser().parse(text)]);
  return found;
}

/** The parsed content of a text, except for spaces at the ends of templates. */
function meaningOf(text: string): string {
  return JSON.stringify(readYaml(text, 'a.yaml')).replace(/\{\{\s*(.*?)\s*\}\}/g, '{{ $1 }}');
}

/** Ways in which a person may format a line. */
const scribbles: readonly ((line: string, extra: string) => string)[] = [
  (line) => `${line}   `,
  (line) => `${line}\t`,
  (line) => `${line}\r`,
  (line) => `${line}\n\n\n`,
  (line) => `\n${line}`,
  (line, extra) => (/[|>][-+]?$|^$/.test(line) ? line : `${line} # ${extra}`),
  (line, extra) => `${/^ */.exec(line)?.[0] ?? ''}# ${extra}\n${line}`,
  (line) => line.replaceAll('{{ ', '{{').replaceAll(' }}', '}}'),
  (line) => line.replaceAll('{{ ', '{{    ').replaceAll(' }}', '\t}}'),
  (line) => line.replace(/: "(\{\{[^"']*\}\})"$/, ': $1'),
  (line) => line.replace(/"(\{\{[^"']*\}\})"/, "'$1'"),
  (line, extra) =>
    line.replace(/^( *)description: .*/, `$1description: |\n$1  ${extra}  \n\n\n$1  # ${extra}`),
  (line, extra) =>
    line.replace(/^( *)name: .*/, `$1name: "${extra.replaceAll(/["\\]/g, '')}\n\n\n   more"`),
];

const scribbled = fc
  .tuple(
    fc.constantFrom(...texts),
    fc.array(
      fc.record({
        at: fc.nat(200),
        how: fc.constantFrom(...scribbles),
        extra: fc.stringMatching(/^[ -~]{1,20}$/),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  )
  .map(([text, marks]) => {
    const lines = text.split('\n');
    for (const { at, how, extra } of marks) {
      const place = at % lines.length;
      lines[place] = how(lines[place] ?? '', extra);
    }
    return lines.join('\n');
  });

/** Unquoted templates are read as if they were quoted. */
function repaired(text: string): string {
  return text.replace(/^( *[-\w ]+: )(\{\{[^"'\n]*\}\})([ \t\r]*(?: #.*)?)$/gm, '$1"$2"$3');
}

function isYaml(text: string): boolean {
  try {
    readYaml(text, 'a.yaml');
    return true;
  } catch {
    return false;
  }
}

describe('a file edited by hand', () => {
  const property = (check: (text: string) => void): void => {
    let seen = 0;
    fc.assert(
      fc.property(scribbled, (text) => {
        if (!isYaml(repaired(text))) return;
        seen += 1;
        check(text);
      }),
      { numRuns: 150 },
    );
    expect(seen).toBeGreaterThan(75); // otherwise most changes produce invalid text
  };

  test('is unchanged by a second formatting', () =>
    property((text) => {
      const once = canonicalText(text, 'a.yaml');
      expect(canonicalText(once, 'a.yaml')).toBe(once);
    }));

  test('keeps its meaning', () =>
    property((text) => {
      expect(meaningOf(canonicalText(text, 'a.yaml'))).toBe(meaningOf(repaired(text)));
    }));

  test('keeps every comment in order', () =>
    property((text) => {
      expect(commentsIn(canonicalText(text, 'a.yaml'))).toEqual(commentsIn(repaired(text)));
    }));
});

test('bundled playbooks are formatted and keep their meaning', () => {
  for (const text of texts) {
    expect(canonicalText(text, 'a.yaml')).toBe(text);
    expect(loadPlaybook(text, 'a.yaml').problems).toEqual(
      loadPlaybook(canonicalText(text, 'a.yaml'), 'a.yaml').problems,
    );
  }
});
