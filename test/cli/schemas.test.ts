import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { entrySchema } from '../../src/engine/journal/entry-schema.ts';
import * as runs from '../support/entries.ts';

const ajv = new Ajv({ strict: false, logger: false, allErrors: true });

describe('the schema of entries', () => {
  const isEntry = ajv.compile(entrySchema.json);

  test.each(Object.entries(runs).filter(([name]) => name.endsWith('Run')))(
    'fits every entry of %s',
    (_name, make) => {
      if (typeof make !== 'function') throw new Error('not a run');
      for (const entry of (make as () => readonly unknown[])()) {
        expect(isEntry(entry) ? undefined : [entry, isEntry.errors]).toBeUndefined();
      }
    },
  );

  test('refuses other objects', () => {
    expect(isEntry({ seq: 1, at: 0, kind: 'begun' })).toBe(false);
    expect(isEntry({ seq: 1, at: 0, kind: 'closed', step: 'a', status: 'dun' })).toBe(false);
  });
});
