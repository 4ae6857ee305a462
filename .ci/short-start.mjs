// An esbuild plugin: what packages would load at each start, and the commands do not use, is not loaded.

const instead = {
  // As a module, `process` would be read property by property, which opens stdin and makes reports.
  process: { contents: 'export default globalThis.process;' },
  'process of require': { contents: 'module.exports = globalThis.process;' },
  // Commander starts programs for subcommands that are files of their own; we have none.
  programs: {
    contents: `module.exports = { spawn: (...words) => require('node:child_process').spawn(...words) };`,
  },
};

export const shortStart = {
  name: 'short-start',
  setup({ onResolve, onLoad }) {
    const namespace = 'short-start';
    onResolve({ filter: /^(?:node:)?process$/ }, ({ kind }) => {
      return { path: kind === 'require-call' ? 'process of require' : 'process', namespace };
    });
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[/\\]node_modules[/\\]commander[/\\]/.test(importer)
        ? { path: 'programs', namespace }
        : undefined,
    );
    onLoad({ filter: /./, namespace }, ({ path }) => instead[path]);
  },
};
