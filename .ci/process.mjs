// An esbuild plugin: modules that import `process` get the global one. Otherwise each of them would
// copy its hundred properties at the start, which takes 5 ms of `validate`.

export const globalProcess = {
  name: 'global-process',
  setup({ onResolve, onLoad }) {
    const namespace = 'global-process';
    onResolve({ filter: /^(?:node:)?process$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace } : undefined,
    );
    onLoad({ filter: /./, namespace }, () => ({ contents: 'export default globalThis.process;' }));
  },
};
