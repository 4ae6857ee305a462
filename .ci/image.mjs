/**
 * Builds the image and starts it as compose.yaml does: with Docker if its daemon answers; otherwise the
 * steps of the Dockerfile are executed without an engine, over this machine in place of the base image.
 * Then it is healthy, writes nowhere but to its volumes, is open to its host only, and stops when asked.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { stagesOf } from './image/dockerfile.mjs';
import { gateway, neighbor, openNetwork } from './image/network.mjs';
import { built, started } from './image/steps.mjs';

const context = join(import.meta.dirname, '..');

/** What features of the program start, which node:22-slim does not have. */
const programs = [
  ['git', '--version'],
  ['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', '/tmp/key-of-a-test'],
];

if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0) withDocker();
else if (process.argv[2] === 'inside') await withoutEngine();
else {
  const words = ['--mount', '--propagation', 'private', process.execPath, import.meta.filename];
  execFileSync('unshare', [...words, 'inside'], { stdio: 'inherit' });
}

/** `--wait` fails unless both services get and stay healthy. */
function withDocker() {
  const compose = (...words) =>
    execFileSync('docker', ['compose', '-p', `deskhand-ci-${process.pid}`, ...words], {
      cwd: context,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  try {
    compose('up', '--build', '--wait', '--wait-timeout', '120');
    compose('exec', '-T', 'desk', 'deskhand', 'run', 'playbooks/market-snapshot.yaml');
    for (const words of programs) compose('exec', '-T', 'desk', ...words);
    assert.match(compose('logs', 'desk'), /open http:\/\/127\.0\.0\.1:8787\/#token=/);
  } finally {
    compose('down', '--volumes', '--timeout', '40');
  }
  console.log('the image works: built and started by Docker');
}

async function withoutEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  const network = openNetwork();
  let server;
  try {
    const stages = stagesOf(readFileSync(join(context, 'Dockerfile'), 'utf8'));
    const image = built(stages, { context, folder });
    const volumes = ['/desk', '/var/lib/deskhand'];
    const desk = started(image, { folder, network: network.desk, volumes });
    server = desk.begin();
    let text = '';
    server.stdout.on('data', (bytes) => (text += bytes));
    const isHealthy = () => {
      try {
        desk.run(image.check);
        return true;
      } catch {
        return false;
      }
    };
    // It listens before it prints its link.
    const hasLink = () => /open http:\/\/127\.0\.0\.1:8787\/#token=/.test(text);
    for (let left = 40; !(isHealthy() && hasLink()); left--) {
      assert(left > 0 && server.exitCode === null, `it is not healthy, or has no link\n${text}`);
      await sleep(500);
    }
    assert.equal(network.statusFrom(gateway), '200');
    assert.equal(network.statusFrom(neighbor), 'closed');
    assert.equal(desk.run(['id', '-u']).trim(), '1000');
    assert.throws(() => desk.run(['touch', '/opt/deskhand/x']), /Read-only file system/);
    const ended = desk.run([...image.entry, 'run', 'playbooks/market-snapshot.yaml']);
    assert.match(ended, /done/i);
    for (const words of programs) desk.run(words);
    const stopping = once(server, 'exit');
    server.kill('SIGTERM');
    const timer = setTimeout(() => server.kill('SIGKILL'), 10_000);
    const [code] = await stopping;
    clearTimeout(timer);
    assert.equal(code, 143, 'it does not stop when asked');
  } finally {
    server?.kill('SIGKILL');
    network.close();
    for (const place of mountsBelow(folder)) spawnSync('umount', ['-l', place]);
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(
    'the image works: its steps were executed without an engine, on this machine as its base',
  );
}

/** Innermost first. */
function mountsBelow(folder) {
  const lines = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  return lines
    .map((line) => line.split(' ')[1] ?? '')
    .filter((place) => place.startsWith(folder))
    .toReversed();
}
