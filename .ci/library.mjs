// Two esbuild plugins for the library, whose parts are modules in the folder of a program.
import { isBuiltin } from 'node:module';

/** Packages that `require` modules of Node get them from the process: a module has no `require`. */
export const requiredOfNode = {
  name: 'required-of-node',
  setup({ onResolve, onLoad }) {
    const filter = /^(?:node:)?[a-z_/]+$/;
    onResolve({ filter, namespace: 'file' }, ({ path, kind }) => {
      if (!isBuiltin(path)) return undefined;
      const name = path.replace('node:', '');
      return kind === 'require-call'
        ? { path: name, namespace: 'required-of-node' }
        : { path: `node:${name}`, external: true };
    });
    onLoad({ filter, namespace: 'required-of-node' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
  },
};

/** The library finds the thread next to itself; the loader tells the command line. */
export function chartThread(name) {
  return {
    name: 'chart-thread',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]report[\\/]chart[\\/]thread-file\.ts$/ }, () => ({
        contents: `import { fileURLToPath } from 'node:url';
          export const threadFile = () => fileURLToPath(new URL('../${name}', import.meta.url));`,
      }));
    },
  };
}
