// An esbuild plugin: modules of Node, and packages few commands need, are loaded at their first use.
import { builtinModules } from 'node:module';

/** Packages whose first use may never come: patterns of inputs, schedules. */
const packages = ['re2js', 'croner'];

/** Node has these at hand already, or something is set in them. */
const atHand = new Set(['process', 'fs', 'path', 'module', 'url', 'vm', 'events', 'util']);

export const lazyModules = {
  name: 'lazy-modules',
  setup({ onResolve, onLoad }) {
    const filter = new RegExp(`^(node:)?(${[...builtinModules, ...packages].join('|')})$`);
    onResolve({ filter }, ({ path, kind, pluginData }) => {
      const name = path.replace(/^node:/, '');
      if (atHand.has(name) || pluginData === 'real' || kind === 'dynamic-import') return undefined;
      return { path: packages.includes(name) ? name : `node:${name}`, namespace: 'lazy' };
    });
    onLoad({ filter: /./, namespace: 'lazy' }, async ({ path }) => {
      const module = await import(path);
      const names = Object.keys(module).filter((name) => name !== 'default');
      const getters = names.map(
        (name) => `${JSON.stringify(name)}: () => real()[${JSON.stringify(name)}]`,
      );
      // Some are functions themselves: "assert(held)".
      const itself =
        typeof module.default === 'function'
          ? `module.exports = function (...given) {
  return new.target ? Reflect.construct(real(), given) : real()(...given);
};`
          : '';
      return {
        contents: `
let loaded;
const real = () => (loaded ??= require(${JSON.stringify(path)}));
const getters = { ${getters.join(', ')} };
${itself}
for (const name in getters) Object.defineProperty(module.exports, name, { enumerable: true, get: getters[name] });
`,
        resolveDir: import.meta.dirname,
        pluginData: 'real',
      };
    });
  },
};
