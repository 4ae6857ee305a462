/** The verbs around exported files as data. */
import { supportedFormats } from '../../export/formats.ts';
import { report } from './flags.ts';
import type { Verb } from './verb.ts';

export const exportVerbs: readonly Verb[] = [
  {
    name: 'export',
    words: '<operation> [fields...]',
    says: 'all rows of a read as a file: deskhand export order/list-history startTime=2026-09-01 --file orders.csv',
    flags: [
      {
        flags: '--file <file>',
        says: 'csv, ndjson, json (.gz packs them), parquet or xlsx, by its ending',
        choices: 'file',
      },
      {
        flags: '--format <name>',
        says: 'when the ending does not say it',
        choices: supportedFormats,
      },
      { flags: '--columns <names>', says: 'only these fields, in this order: orderId,price' },
      {
        flags: '--unique <names>',
        says: 'columns that together name a row; a second one stops it',
      },
      { flags: '--sort <names>', says: 'columns to sort by' },
      { flags: '--overwrite', says: 'take the place of whatever stands there' },
      report,
    ],
    choices: ['operation', 'field'],
    formats: ['text', 'json', 'ndjson', 'markdown'],
    load: () => import('../commands/export.ts'),
  },
  {
    name: 'verify',
    words: '<files...>',
    says: 'whether exported files are whole and complete, by the manifests beside them',
    flags: [],
    choices: ['file'],
    formats: ['text', 'json'],
    load: () => import('../commands/verify.ts'),
  },
];
