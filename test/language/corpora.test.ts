/** Public hostile files: never a crash, and text that is accepted comes through unchanged. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DeskhandError } from '../../src/base/error.ts';
import { JsonError, parseJson } from '../../src/base/json.ts';
import { loadPlaybook } from '../../src/language/load.ts';
import { readYaml } from '../../src/language/source.ts';

const corpora = process.env['CORPORA'];

/** Every file below a folder of the corpora; none when they are not here. */
function files(folder: string, ending: string): string[] {
  if (corpora === undefined) return [];
  return readdirSync(join(corpora, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(corpora, folder, name));
}

const naughty: readonly string[] = corpora
  ? JSON.parse(readFileSync(join(corpora, 'blns', 'blns.json'), 'utf8'))
  : [
      '',
      'undefined',
      '１２３',
      '"\'`',
      '{{ x }}',
      '‮',
      '\u0000',
      '__proto__',
      '../../etc/passwd',
      '𝒳',
    ];

describe('hostile files', () => {
  test('give problems as playbooks, never an exception', () => {
    for (const file of [...files('yaml-test-suite', '.yaml'), ...files('JSONTestSuite', '.json')]) {
      const { problems } = loadPlaybook(readFileSync(file), 'hostile.yaml');
      expect(problems.length, file).toBeGreaterThan(0);
    }
  });

  test('are read or refused as responses', () => {
    for (const file of files('JSONTestSuite', '.json')) {
      try {
        parseJson(readFileSync(file, 'utf8'));
      } catch (error) {
        expect(error, file).toBeInstanceOf(JsonError);
      }
    }
  });

  test('unusual texts in a value are unchanged or refused by name', () => {
    for (const text of naughty) {
      const written = `a: ${JSON.stringify(text)}\n`;
      try {
        expect(readYaml(written, 'text.yaml')).toEqual({ a: text });
      } catch (error) {
        expect(error).toBeInstanceOf(DeskhandError);
        expect(String(error)).toMatch(/is not allowed here/);
      }
    }
  });
});
