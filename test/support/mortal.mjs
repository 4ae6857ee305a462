/**
 * Loaded before a program: it dies right before its DIE_AT-th act on a file whose path holds
 * DIE_UNDER, as if its process had been killed there.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

const { DIE_AT = '0', DIE_UNDER = '' } = process.env;
const paths = new Map(); // of open files, by handle and by number
let acts = 0;

function act(path) {
  if (!String(path).includes(DIE_UNDER)) return;
  acts += 1;
  if (acts !== Number(DIE_AT)) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;); // nothing more happens, however long the signal takes
}

function mortal(owner, names, pathOf) {
  for (const name of names) {
    const real = owner[name];
    owner[name] = function (...given) {
      act(pathOf(this, given));
      return real.apply(this, given);
    };
  }
}

const handle = await fs.promises.open(process.execPath);
mortal(
  Object.getPrototypeOf(handle),
  ['write', 'writeFile', 'datasync', 'sync', 'truncate'],
  (it) => paths.get(it),
);
await handle.close();

const { open } = fs.promises;
const first = (_, [path]) => path;
mortal(fs.promises, ['mkdir', 'writeFile', 'rename', 'link', 'unlink', 'truncate'], first);
mortal(fs, ['writeSync'], (_, [file]) => paths.get(file));
mortal(fs, ['mkdirSync', 'openSync', 'writeFileSync', 'unlinkSync'], first);
fs.promises.open = async (path, ...given) => {
  act(path);
  const opened = await open(path, ...given);
  paths.set(opened, path).set(opened.fd, path);
  return opened;
};
syncBuiltinESMExports();
