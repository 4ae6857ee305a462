// An esbuild plugin: of undici only its client for one connection and the errors; its index would load
// fetch, WebSockets, caches and mocks as well, which no one here asks for.

/** What `src` imports from it, by where it is. A name that is missing here fails the build. */
const parts = {
  buildConnector: 'undici/lib/core/connect.js',
  Client: 'undici/lib/dispatcher/client.js',
  errors: 'undici/lib/core/errors.js',
};

export const undiciParts = {
  name: 'undici-parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: 'undici-parts' }));
    onLoad({ filter: /./, namespace: 'undici-parts' }, () => ({
      contents: Object.entries(parts)
        .map(([name, path]) => `export { default as ${name} } from '${path}';`)
        .join('\n'),
      resolveDir: import.meta.dirname,
    }));
  },
};
