// Runs command lines one after the other in one process, so that a test pays for one start only.
import { createRequire } from 'node:module';
import { PassThrough } from 'node:stream';
import process from 'node:process';
import { text } from 'node:stream/consumers';

const { main } = createRequire(import.meta.url)(process.argv[2]);
const own = { ...process.env };

process.on('message', (command) => void answer(command));
process.on('disconnect', () => process.exit());
process.send('ready');

async function answer({ words, cwd, env, input }) {
  process.send(await run(words, cwd, env, input));
}

async function run(words, cwd, env, input) {
  setEnvironment(env);
  process.chdir(cwd);
  process.exitCode = undefined;
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  for (const [name, value] of Object.entries({ stdin, stdout, stderr })) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
  stdin.end(input);
  const printed = Promise.all([text(stdout), text(stderr)]);
  await main(words);
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  stdout.end();
  stderr.end();
  setEnvironment(own);
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}

function setEnvironment(env) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}
