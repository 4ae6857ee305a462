// Esbuild plugins for the library, whose parts are modules in the folder of a program, or inside its bundle.
import { isBuiltin } from 'node:module';
import { dirname } from 'node:path';

/** Packages that `require` modules of Node get them from the process: a module has no `require`. */
export const requiredOfNode = {
  name: 'required-of-node',
  setup({ onResolve, onLoad }) {
    const filter = /^(?:node:)?[a-z_/]+$/;
    onResolve({ filter, namespace: 'file' }, ({ path, kind }) => {
      // A name with the prefix is one, also if this Node does not have it: each Node builds the same.
      if (!path.startsWith('node:') && !isBuiltin(path)) return undefined;
      const name = path.replace('node:', '');
      return kind === 'require-call'
        ? { path: name, namespace: 'required-of-node' }
        : { path: `node:${name}`, external: true };
    });
    onLoad({ filter, namespace: 'required-of-node' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
    }));
  },
};

/** The library imports the script of the thread; the loader tells the command line its file. */
export function chartThread(name) {
  return {
    name: 'chart-thread',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^chart:thread$/ }, () => ({ path: `../${name}`, external: true }));
      onLoad({ filter: /[\\/]report[\\/]chart[\\/]pictures\.ts$/ }, ({ path }) => ({
        contents: `import { drawAside } from './aside.ts';
          export const picturesOf = async (ready) =>
            drawAside((await import('chart:thread')).default, ready);`,
        resolveDir: dirname(path),
      }));
    },
  };
}

/** zx sets global variables for Deno, which nothing that is used of it needs here. */
export const zxWithoutGlobals = {
  name: 'zx-without-globals',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zx[\\/]build[\\/]deno\.js$/ }, () => ({ contents: '' }));
  },
};
