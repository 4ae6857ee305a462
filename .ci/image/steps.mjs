/**
 * The steps of the Dockerfile without a container engine: each stage is an overlay over this machine's
 * root, in a mount namespace of our own, so that nothing of this machine changes. Needs root.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { admittedBy } from './dockerfile.mjs';

const node = '1000'; // the user of the official images

/** Runs all stages. @returns the last one: its root, and how its container starts */
export function built(stages, { context, folder }) {
  const done = new Map();
  let last;
  for (const stage of stages) {
    last = emptyStage(join(folder, stage.name));
    done.set(stage.name, last);
    mount(last, last.upper);
    if (stage === stages.at(-1)) hideOfBase(last);
    for (const step of stage.steps) execute(step, last, { context, done });
    if (stage !== stages.at(-1)) continue;
    // An engine marks its containers.
    mkdirSync(join(last.root, 'run'), { recursive: true });
    writeFileSync(join(last.root, 'run', '.containerenv'), '');
  }
  return last;
}

/** This machine has programs that the base image does not have: a step must install them. */
function hideOfBase({ root }) {
  run('chroot', root, 'dpkg', '--force-all', '--remove', 'git', 'openssh-client');
}

function emptyStage(folder) {
  const [root, upper, work] = ['root', 'upper', 'work'].map((name) => join(folder, name));
  for (const path of [root, upper, work]) mkdirSync(path, { recursive: true });
  return { root, upper, work, directory: '/', environment: {}, user: '0' };
}

function mount({ root, work }, upper) {
  run(
    'mount',
    '-t',
    'overlay',
    'overlay',
    '-o',
    `lowerdir=/,upperdir=${upper},workdir=${work}`,
    root,
  );
  run('mount', '-t', 'proc', 'proc', join(root, 'proc'));
  run('mount', '--bind', '/dev', join(root, 'dev'));
}

function execute({ word, flags, rest }, stage, { context, done }) {
  console.log(`${word} ${rest}`);
  switch (word) {
    case 'WORKDIR':
      stage.directory = rest;
      mkdirSync(join(stage.root, rest), { recursive: true });
      break;
    case 'COPY':
      copy(rest.split(' '), flags, stage, flags.from ? done.get(flags.from).root : context);
      break;
    case 'RUN':
      run(
        'env',
        '-i',
        ...environmentOf(stage),
        'chroot',
        stage.root,
        'sh',
        '-c',
        `cd ${stage.directory} && ${rest}`,
      );
      break;
    case 'ENV': {
      const [name, value] = rest.split('=');
      stage.environment[name] = value;
      break;
    }
    case 'USER':
      if (rest !== 'node') throw new Error(`USER ${rest}: expected node`);
      stage.user = node;
      break;
    case 'HEALTHCHECK':
      stage.check = JSON.parse(rest.replace(/^.*?CMD /, ''));
      break;
    case 'ENTRYPOINT':
      stage.entry = JSON.parse(rest);
      break;
    case 'CMD':
      stage.words = JSON.parse(rest);
  }
}

function copy(paths, { chown, from }, { root, directory }, source) {
  const target = join(root, paths.at(-1).startsWith('/') ? '' : directory, paths.at(-1));
  for (const path of paths.slice(0, -1)) {
    if (path === '.') admitted(source, target);
    else
      run(
        'sh',
        '-c',
        'mkdir -p "$2" && if [ -d "$1" ]; then cp -a "$1/." "$2"; else cp -a "$1" "$2"; fi',
        'sh',
        join(source, path),
        target,
      );
  }
  if (chown !== undefined && from !== undefined) run('chown', '-R', `${node}:${node}`, target);
}

/** The folder as an engine receives it, which keeps modes. */
function admitted(source, target) {
  const paths = admittedBy(readFileSync(join(source, '.dockerignore'), 'utf8'));
  const found = execFileSync('sh', ['-c', `ls -d -- ${paths.join(' ')}`], {
    cwd: source,
    encoding: 'utf8',
  });
  for (const path of found.trim().split('\n')) {
    cpSync(join(source, path), join(target, path), { recursive: true });
    run('chmod', '-R', 'go=', join(target, path)); // the modes of a checkout that is private to its owner
  }
}

/** The environment of a step: that of the image, and how this machine reaches its registry. */
function environmentOf({ environment }) {
  const passed = Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|NODE_EXTRA_CA_CERTS|npm_config_.*)$/.test(name),
  );
  return [...passed, ...Object.entries(environment)].map(([name, value]) => `${name}=${value}`);
}

/**
 * Starts the container as compose.yaml does: read-only root, new volumes, another user, no
 * capabilities, a separate network.
 * @param options `folder` for volumes, `network` the name of a namespace
 * @returns `begin()` starts its command, and `run(words)` another one in it
 */
export function started(stage, { folder, network, volumes }) {
  const { root } = stage;
  run('mount', '-o', 'remount,ro', root);
  run('mount', '-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', join(root, 'tmp'));
  for (const path of volumes) {
    const volume = join(folder, 'volumes', path);
    mkdirSync(volume, { recursive: true });
    run('cp', '-a', `${join(root, path)}/.`, volume); // as an engine fills a new volume
    run('chown', `${node}:${node}`, volume);
    run('mount', '--bind', volume, join(root, path));
  }
  const environment = environmentOf(stage).filter((each) => !/^(PATH|HOME|npm_config_)/.test(each));
  const enter = 'env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp'.split(' ');
  const unprivileged = `setpriv --reuid ${node} --regid ${node} --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs`;
  const inside = ['chroot', root, ...unprivileged.split(' '), 'env', '-C', stage.directory];
  const words = (command, where) =>
    ['netns', 'exec', where].concat(enter, environment, inside, command);
  return {
    begin: () =>
      spawn('ip', words([...stage.entry, ...stage.words], network), {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    run: (command, where = network) =>
      execFileSync('ip', words(command, where), {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
  };
}

export function run(command, ...words) {
  execFileSync(command, words, { stdio: ['ignore', 'ignore', 'inherit'] });
}
