/** The contents of charts and pages, between the run that collects them and the document that shows them. */
import { isJsonRecord, type Json } from '../../base/json.ts';
import type { NumberFormat } from '../../base/number-format.ts';
import type { PartWidth } from '../../language/tables.ts';
import type { Row } from '../../exchange/api/listing.ts';

/** A chart as it was drawn; the journal records it. */
export interface Chart {
  readonly title: string;
  readonly description: string;
  /** SVG for a page, without fixed colors; '' if there were no rows. */
  readonly wide: string;
  /** The variant of the document for phones. */
  readonly narrow: string;
}

export interface ChartRequest {
  readonly title: string;
  readonly description: string;
  /** The Vega-Lite specification without data. */
  readonly spec: Readonly<Record<string, unknown>>;
  readonly rows: readonly Row[];
}

/** A text in Markdown; values are never parsed as Markdown. */
export type Prose = readonly (string | { readonly value: string })[];

/** A part of a page, listed from top to bottom. */
export type PagePart =
  | { readonly kind: 'text'; readonly text: Prose }
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  | {
      readonly kind: 'chart';
      readonly chart: Chart;
      readonly file?: string;
      readonly width?: PartWidth;
      readonly without?: readonly Without[];
    }
  | {
      readonly kind: 'table';
      readonly title: string;
      readonly columns: readonly string[];
      /** The first rows of the data. */
      readonly rows: readonly Row[];
      /** The total number of rows. */
      readonly total: number;
      readonly files: readonly string[];
      /** The formats of numbers by column. */
      readonly formats?: ReadonlyMap<string, NumberFormat>;
      /** Whether readers can sort the rows that are shown. */
      readonly sortable?: boolean;
      readonly width?: PartWidth;
      readonly without?: readonly Without[];
    }
  /** The step to be shown was not completed. */
  | { readonly kind: 'missing'; readonly step: string };

export type TablePart = Extract<PagePart, { readonly kind: 'table' }>;

/** The items of a step whose rows are missing, because the step continued without them. */
export interface Without {
  readonly step: string;
  readonly keys: readonly string[];
}

export interface Figure {
  readonly name: string;
  readonly value: string;
}

export interface PageRequest {
  readonly title: string;
  readonly parts: readonly PagePart[];
}

/** The chart in an outcome of `report/chart`; undefined in any other. */
export function chartIn(output: Json): Chart | undefined {
  const chart = isJsonRecord(output) ? output['chart'] : undefined;
  if (chart === undefined || !isJsonRecord(chart)) return undefined;
  const { title, description, wide, narrow } = chart;
  if (typeof title !== 'string' || typeof description !== 'string') return undefined;
  if (typeof wide !== 'string' || typeof narrow !== 'string') return undefined;
  return { title, description, wide, narrow };
}
