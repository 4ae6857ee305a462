/** The machine-readable output of `validate` has the expected formats. */
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { rules } from '../../src/language/rules.ts';
import { deskhand, folderWith } from './deskhand.ts';

const bad = `playbook: 1
name: prices
steps:
  - id: tickers
    uses: market/list-tickrs
    with: { category: {{ inputs.x }} }
  - id: rates
    uses: market/list-discount-rates
    sted: 100%
`;
const files = {
  'good.yaml': bad.split('\n').slice(0, 4).join('\n') + '\n    uses: market/list-discount-rates\n',
  'in a/ü,b:c 100%.yaml': bad,
};
const words = ['validate', 'good.yaml', 'in a/ü,b:c 100%.yaml', '-o'];

const closed = { additionalProperties: false } as const;
const message = {
  type: 'object',
  ...closed,
  required: ['text'],
  properties: { text: { type: 'string', minLength: 1 } },
};
const position = { type: 'integer', minimum: 1 };

/** The part of SARIF 2.1.0 that we use, as its specification has it. */
const sarif = {
  type: 'object',
  ...closed,
  required: ['version', 'runs'],
  properties: {
    $schema: { type: 'string', pattern: '^https://' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        ...closed,
        required: ['tool', 'results'],
        properties: {
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          tool: {
            type: 'object',
            ...closed,
            required: ['driver'],
            properties: {
              driver: {
                type: 'object',
                ...closed,
                required: ['name'],
                properties: {
                  name: { type: 'string', minLength: 1 },
                  version: { type: 'string', minLength: 1 },
                  rules: {
                    type: 'array',
                    uniqueItems: true,
                    items: {
                      type: 'object',
                      ...closed,
                      required: ['id'],
                      properties: {
                        id: { type: 'string' },
                        shortDescription: message,
                        fullDescription: message,
                      },
                    },
                  },
                },
              },
            },
          },
          results: {
            type: 'array',
            items: {
              type: 'object',
              ...closed,
              required: ['message'],
              properties: {
                ruleId: { enum: rules.map(({ code }) => code) },
                level: { enum: ['none', 'note', 'warning', 'error'] },
                message,
                locations: {
                  type: 'array',
                  items: {
                    type: 'object',
                    ...closed,
                    properties: {
                      physicalLocation: {
                        type: 'object',
                        ...closed,
                        required: ['artifactLocation'],
                        properties: {
                          artifactLocation: {
                            type: 'object',
                            ...closed,
                            // A URI reference; a colon in its first segment would make it a scheme.
                            properties: {
                              uri: {
                                type: 'string',
                                pattern:
                                  "^(?:file://|[^:/]*(?:/|$))(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-F]{2})*$",
                              },
                            },
                          },
                          region: {
                            type: 'object',
                            ...closed,
                            properties: {
                              startLine: position,
                              startColumn: position,
                              endLine: position,
                              endColumn: position,
                            },
                          },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

describe('validate', () => {
  test('-o sarif is a SARIF 2.1.0 log', async () => {
    const { code, stdout } = await deskhand([...words, 'sarif'], { cwd: folderWith(files) });
    const isSarif = new Ajv({ allErrors: true }).compile(sarif);
    const log = JSON.parse(stdout);
    expect([code, isSarif(log), isSarif.errors]).toEqual([3, true, null]);
    const [{ results, tool }] = log.runs;
    expect(results.length).toBeGreaterThan(1);
    const places = results.map(
      (result: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
        result.locations[0]?.physicalLocation.artifactLocation.uri,
    );
    expect(new Set(places.map(decodeURIComponent))).toEqual(new Set(['in a/ü,b:c 100%.yaml']));
    expect(new Set(tool.driver.rules.map(({ id }: { id: string }) => id)).size).toBe(rules.length);
  });

  test('-o sarif of files without problems is a log without results', async () => {
    const { code, stdout } = await deskhand(['validate', 'good.yaml', '-o', 'sarif'], {
      cwd: folderWith(files),
    });
    expect([code, JSON.parse(stdout).runs[0].results]).toEqual([0, []]);
  });

  test('-o github is one workflow command per line, with everything escaped', async () => {
    const { stdout } = await deskhand([...words, 'github'], { cwd: folderWith(files) });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      expect(line).toMatch(
        /^::(error|warning) file=in a\/ü%2Cb%3Ac 100%25\.yaml,line=\d+,col=\d+,title=PB\d{3}::\S/,
      );
    }
  });

  test('-o json names both files and every location', async () => {
    const { stdout } = await deskhand([...words, 'json'], { cwd: folderWith(files) });
    const report = JSON.parse(stdout);
    expect(report.files.map(({ file }: { file: string }) => file)).toEqual([
      'good.yaml',
      'in a/ü,b:c 100%.yaml',
    ]);
    expect(report.files[0].problems).toEqual([]);
    for (const problem of report.files[1].problems) {
      expect(problem).toMatchObject({
        code: expect.stringMatching(/^PB\d{3}$/),
        level: expect.stringMatching(/^(error|warning)$/),
        line: expect.any(Number),
        column: expect.any(Number),
        endLine: expect.any(Number),
        endColumn: expect.any(Number),
      });
    }
  });
});
