/** A workflow in Arazzo, as Redocly's linter and runner read it. */

/**
 * @param steps YAML of each, six blanks in
 * @param inputs schema of the inputs, in one line
 */
export function arazzoOf(steps: readonly string[], inputs?: string): string {
  return `arazzo: 1.0.1
info: { title: bench, version: 1.0.0 }
sourceDescriptions: [{ name: api, type: openapi, url: openapi.yaml }]
workflows:
  - workflowId: bench
${inputs === undefined ? '' : `    inputs: ${inputs}\n`}    steps:
${steps.join('')}`;
}
