/** Defines the commands for exported files. */
import { supportedFormats } from '../../engine/export/formats.ts';
import { report } from './flags.ts';
import type { Verb } from './verb.ts';

export const exportVerbs: readonly Verb[] = [
  {
    name: 'export',
    positionals: '<operation> [fields...]',
    description:
      'Export all rows of a read to a file: deskhand export order/list-history startTime=2026-09-01 --file orders.csv',
    flags: [
      {
        flags: '--file <file>',
        description: 'csv, ndjson, json (.gz compresses), parquet or xlsx, by its extension',
        choices: 'file',
      },
      {
        flags: '--format <name>',
        description: 'format, when the extension does not name it',
        choices: supportedFormats,
      },
      {
        flags: '--columns <names>',
        description: 'export only these fields, in this order: orderId,price',
      },
      {
        flags: '--type <field=type>',
        description: 'type of a column: text, time, integer, decimal or decimal(P,S)',
        isRepeated: true,
      },
      {
        flags: '--unique <names>',
        description: 'columns that identify a row; a duplicate fails the export',
      },
      { flags: '--sort <names>', description: 'columns to sort by' },
      { flags: '--csv-bom', description: 'start a CSV file with a byte order mark' },
      {
        flags: '--csv-delimiter <sign>',
        description: 'between the fields of a CSV file: a comma (default), ";" or tab',
        choices: [',', ';', 'tab'],
      },
      { flags: '--overwrite', description: 'replace any existing file' },
      {
        flags: '--since <last>',
        description: 'last continues the file of earlier exports with the rows since',
        choices: ['last'],
      },
      {
        flags: '--overlap <time>',
        description: 'with --since: how much is read again for late rows; default: 1d',
        choices: ['6h', '1d', '7d'],
      },
      report,
    ],
    choices: ['operation', 'field'],
    formats: ['text', 'json', 'ndjson', 'markdown'],
    load: () => import('../commands/export.ts'),
  },
  {
    name: 'verify',
    positionals: '<files...>',
    description: 'Verify exported files against their manifests',
    flags: [],
    choices: ['file'],
    formats: ['text', 'json'],
    load: () => import('../commands/verify.ts'),
  },
];
