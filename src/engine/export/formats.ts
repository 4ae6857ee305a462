/** The file formats of exports. */
import { plainText } from '../../base/text.ts';
import { ExportError } from './error.ts';

/** Formats that this version writes. */
export const supportedFormats = ['csv', 'ndjson', 'json', 'parquet', 'xlsx'] as const;
export type SupportedFormat = (typeof supportedFormats)[number];

/**
 * The format of an output: by its flag, or else by the extension of the file.
 * @throws ExportError when this version does not write it
 */
export function formatOf(file: string, named?: string): SupportedFormat {
  const isGzip = isCompressed(file);
  const word = named ?? endingOf(isGzip ? file.slice(0, -compressedEnding.length) : file);
  const format = supportedFormats.find((known) => known === word);
  if (format !== undefined) {
    if (isGzip && binary.has(format)) throw compressedTwice(file, format);
    return format;
  }
  const choice = `choose one of ${supportedFormats.join(', ')}`;
  if (word === '') {
    throw new ExportError('file-format', `${plainText(file, 120)} has no extension`, {
      hint: `${choice}, as the extension or as \`format\``,
    });
  }
  const message = `format ${plainText(word, 40)} is not supported in this version`;
  throw new ExportError('file-format', message, { hint: choice });
}

const compressedEnding = '.gz';
const binary: ReadonlySet<SupportedFormat> = new Set<SupportedFormat>(['parquet', 'xlsx']);

/** Whether a file is compressed with gzip, by its extension. */
export function isCompressed(file: string): boolean {
  return file.toLowerCase().endsWith(compressedEnding);
}

function compressedTwice(file: string, format: SupportedFormat): ExportError {
  return new ExportError('file-format', `${plainText(file, 120)} would be compressed twice`, {
    hint: `${format} is already compressed; remove ${compressedEnding}`,
  });
}

function endingOf(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}
