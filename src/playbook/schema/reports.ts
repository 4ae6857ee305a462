/** Fields of the steps that make tables, charts and pages, with the parts they are made of. */
import { aggregates, missingPartners, type Aggregate } from '../tables.ts';
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

/** `report/table`, `report/chart` and `report/page`. */
export const ofReports = {
  'report/table': {
    title: 'Make a table of the rows of other steps',
    ...map('Rows joined, chosen, grouped and put in order; sums are exact.', {
      required: ['from'],
      properties: {
        from,
        join: {
          type: 'array',
          description: 'Rows of other steps beside each row, seen as joined.NAME.',
          items: map('One join; at most one row is beside each row.', {
            required: ['from', 'on'],
            properties: {
              from,
              as: text('Its name under joined; the step’s id by default.'),
              on: templates('Column of the joined rows, and what it must equal, over row.'),
              missing: {
                enum: [...missingPartners],
                description: 'A row without a partner is kept, dropped, or stops the step.',
              },
            },
          }),
        },
        where: text('One expression over row and joined; false leaves the row out.'),
        'group-by': templates('Columns that name a group, each over row.'),
        columns: {
          type: 'object',
          description: 'Columns over row, or what the rows of a group come to.',
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
          description: 'Columns to sort by; -column begins with the largest.',
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
        description: text('The same in a sentence, for those who cannot see it.'),
        file: text('Its name under the workspace, ending in .svg, when it is wanted by itself.'),
        spec: {
          type: 'object',
          description: 'Vega-Lite without data: mark, encoding, layer, transform, width, height.',
        },
      },
    }),
  },
  'report/page': {
    title: 'Write a page: the report of the run so far, or one of your own',
    ...map('A single file for people: .html, or .md for a pull request.', {
      required: ['file'],
      properties: {
        file: text('Its name under the workspace, ending in .html or .md.'),
        title: text('Its heading; the name of the step or of the playbook by default.'),
        parts: {
          type: 'array',
          minItems: 1,
          description: 'What is on it, from above to below; without them the run’s report.',
          items: map('One of text, figures, chart and table.', {
            properties: {
              text: text(
                'Markdown with {{ expressions }}, whose values are never read as Markdown, and the blocks {{#each steps.ID.rows}} … {{this.column}} … {{else}} … {{/each}}, {{#if}} and {{#unless}}.',
              ),
              figures: templates('Names and values, shown large.'),
              chart: text('A report/chart step.'),
              table: text('A step whose rows are shown.'),
              title: text('The heading of a table.'),
              columns: {
                type: 'array',
                items: { type: 'string' },
                description: 'The columns of a table; default: all.',
              },
              rows: {
                type: 'integer',
                minimum: 1,
                maximum: 1000,
                description: 'How many rows are shown, of a table or of {{#each}}; default 50.',
              },
            },
          }),
        },
      },
    }),
  },
} as const;
