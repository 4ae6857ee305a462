// An esbuild plugin: of undici only the pool of connections and the errors; its index would load
// fetch, WebSockets, caches and mocks as well, which no one here asks for.

/** What `src` imports from it, by where it is. A name that is missing here fails the build. */
const parts = { Pool: 'undici/lib/dispatcher/pool.js', errors: 'undici/lib/core/errors.js' };

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
