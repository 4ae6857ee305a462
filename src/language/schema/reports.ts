/** Fields of the steps that create tables, charts and pages. */
import { aggregates, missingPartners, partWidths, type Aggregate } from '../tables.ts';
import { map, templates, text } from './words.ts';

const from = {
  type: 'string',
  description: 'The step whose rows are taken: a read, or a report/table.',
};

const value = ['string', 'number', 'boolean'];

const meanings = {
  sum: 'The exact sum of a number over the group.',
  count: 'How many rows the group has.',
  min: 'The smallest value.',
  max: 'The largest value.',
  first: 'The value of the first row.',
  last: 'The value of the last row.',
} as const satisfies Readonly<Record<Aggregate, string>>;

/** The fields of `report/table`, `report/chart` and `report/page`. */
export const ofReports = {
  'report/table': {
    title: 'Make a table of the rows of other steps',
    ...map('Join, filter, group and sort rows; sums are exact.', {
      required: ['from'],
      properties: {
        from,
        join: {
          type: 'array',
          description: 'Rows of other steps for each row, available as joined.NAME.',
          items: map('One join; it matches at most one row for each row.', {
            required: ['from', 'on'],
            properties: {
              from,
              as: text('Its name under joined; the step’s id by default.'),
              on: templates('Column of the joined rows, and what it must equal, over row.', [
                'uid',
                '{{ row.uid }}',
              ]),
              missing: {
                enum: [...missingPartners],
                description: 'A row without a match is kept, dropped, or stops the step.',
              },
            },
          }),
        },
        where: text('One expression over row and joined; false drops the row.'),
        'group-by': templates('Columns that name a group, each over row.', [
          'symbol',
          '{{ row.symbol }}',
        ]),
        columns: {
          type: 'object',
          description: 'Columns over row, or aggregates of the rows of a group.',
          additionalProperties: {
            type: [...value, 'object'],
            additionalProperties: false,
            properties: {
              ...Object.fromEntries(
                aggregates.map((word) => [word, { type: value, description: meanings[word] }]),
              ),
              count: { enum: ['rows'], description: meanings.count },
            },
          },
        },
        sort: {
          type: 'array',
          items: { type: 'string' },
          description: 'Columns to sort by; -column sorts descending.',
        },
        first: { type: 'integer', minimum: 1, description: 'Maximum number of rows.' },
      },
    }),
  },
  'report/chart': {
    title: 'Draw the rows of a step',
    ...map('A Vega-Lite spec drawn as SVG, for pages and the run’s report; nothing is fetched.', {
      required: ['from', 'spec'],
      properties: {
        from,
        title: text('What it shows, in a few words.'),
        description: text('A description for people who cannot see the chart.'),
        file: text(
          'File name in the workspace, ending in .svg, to also write the chart to a file.',
        ),
        spec: {
          type: 'object',
          description: 'Vega-Lite without data: mark, encoding, layer, transform, width, height.',
        },
      },
    }),
  },
  'report/page': {
    title: 'Write a page: the report of the run so far, or a custom page',
    ...map('A single file for people: .html, or .md for a pull request.', {
      required: ['file'],
      properties: {
        file: text('File name in the workspace, ending in .html or .md.'),
        title: text('Its heading; the name of the step or of the playbook by default.'),
        parts: {
          type: 'array',
          minItems: 1,
          description: 'Parts of the page, from top to bottom; default: the run’s report.',
          items: map('One of text, figures, chart and table.', {
            properties: {
              text: text(
                'Markdown with {{ expressions }}, whose values are never read as Markdown, and the blocks {{#each steps.ID.rows}} … {{this.column}} … {{else}} … {{/each}}, {{#if}} and {{#unless}}.',
              ),
              figures: templates('Names and values, shown large.', [
                'Orders',
                '{{ steps.orders.rows }}',
              ]),
              chart: text('A report/chart step.'),
              table: text('A step whose rows are shown.'),
              title: text('The heading of a table.'),
              columns: {
                type: 'array',
                items: { type: 'string' },
                description: 'The columns of a table; default: all.',
              },
              formats: {
                type: 'object',
                description:
                  'How numbers of a column are written: 0.00, 0.0% (a ratio as percent), 0 USDT; rounded half to even.',
              },
              sortable: {
                type: 'boolean',
                description:
                  'true: readers sort the rows that are shown by a click on a column of the table.',
              },
              width: {
                enum: [...partWidths],
                description:
                  'Of a chart or a table beside others of its kind on a wide screen; default full.',
              },
              rows: {
                type: 'integer',
                minimum: 1,
                maximum: 1000,
                description: 'Maximum number of rows of a table or of {{#each}}; default 50.',
              },
            },
          }),
        },
      },
    }),
  },
} as const;
