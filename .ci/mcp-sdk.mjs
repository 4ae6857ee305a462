// An esbuild plugin: of the Model Context Protocol's SDK, the program has no JSON Schema compiler
// (216 KB): the SDK uses it for answers to questions of the server, and ours asks none.

const contents = `
export { default as process } from 'node:process';
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('this server asks its client nothing');
  }
}
`;

export const mcpSdkParts = {
  name: 'mcp-sdk',
  setup({ onResolve, onLoad }) {
    const namespace = 'mcp-sdk';
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => {
      return { path, namespace };
    });
    onLoad({ filter: /./, namespace }, () => ({ contents, resolveDir: import.meta.dirname }));
  },
};
