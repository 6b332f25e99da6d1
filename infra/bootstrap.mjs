// `npm start`, `npm test` and `npm run looptide` on a machine with no more than Node 18 and npm: downloads Node and pnpm in
// the versions of this project, installs the packages, and starts the program. Plain JavaScript without imports other than
// Node's own, because nothing is installed yet.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const toolchain = join(root, '.local/toolchain')
const programs = {
  start: 'infra/runner/src/start.ts',
  test: 'infra/verify.ts',
  looptide: 'infra/cli/src/main.ts',
}
/** Options of Node for programs that mostly wait: half the memory of the runner, at no cost to its start. */
const nodeArgs = { start: ['--max-semi-space-size=1', '--optimize-for-size'], test: [], looptide: [] }
/** Space that an installation takes, in MB, and a reserve. */
const needed = { node: 250, pnpm: 350, packages: 1100 }

/** Prints a sentence for the operator and exits. */
function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** Runs a program to its end. After a failure, prints its output, then the sentence. */
function run(command, args, sentence, env = process.env) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' })
  if (status === 0) return
  for (const text of [stdout, stderr, error?.message]) if (text) console.error(text.trim())
  fail(sentence)
}

/** The lockfile of a part of the toolchain (`node` or `pnpm`): names, versions and digests. */
const lockOf = (part) =>
  JSON.parse(readFileSync(join(root, 'infra/toolchain', part, 'package-lock.json'), 'utf8')).packages

/**
 * Installs a part of the toolchain with npm. With the lockfile npm refuses a file whose digest differs from the one in this
 * repository, without it one that differs from the registry's metadata.
 */
function npmInstall(part, what, isLocked) {
  const folder = join(toolchain, part)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', ...(isLocked ? ['package-lock.json'] : [])])
    copyFileSync(join(root, 'infra/toolchain', part, file), join(folder, file))
  const args = [
    isLocked ? 'ci' : 'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--fetch-retries=1',
  ]
  // npm passes its own path, of a script or a program.
  const npm = process.env.npm_execpath
  const sentence = `${what} could not be downloaded from npm (see above): check the network, then try again.`
  // Options of the outer npm, such as --omit or --prefix, must not reach the inner one; its registry settings must.
  const call =
    /^npm_(package|lifecycle|command|config_(prefix|global|omit|include|production|only|local_prefix|workspace))/i
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !call.test(name)))
  if (npm?.endsWith('.js')) run(process.execPath, [npm, ...args], sentence, env)
  else run('npm', args, sentence, env)
}

/** Stops, with what is needed, before downloads fill the disk. */
function requireSpace() {
  const missing = [
    ...(isRecent() || existsSync(join(toolchain, 'node')) ? [] : [needed.node]),
    ...(existsSync(join(toolchain, 'pnpm')) ? [] : [needed.pnpm]),
    ...(existsSync(join(root, 'node_modules')) ? [] : [needed.packages]),
  ]
  const megabytes = missing.reduce((sum, size) => sum + size, 0)
  const { bavail, bsize } = statfsSync(root)
  const free = Math.floor((bavail * bsize) / 1e6)
  if (free < megabytes)
    fail(
      `The installation needs ${megabytes} MB in ${root}, but only ${free} MB are free: free some space, then try again.`,
    )
}

const isRecent = () => Number(process.versions.node.split('.')[0]) >= 24

/** The path of a Node that can run the project: this one, or a downloaded one. */
function ensureNode() {
  if (isRecent()) return process.execPath
  const name = `node-${process.platform}-${process.arch}`
  const locked = lockOf('node')[`node_modules/${name}`]
  if (locked === undefined)
    fail(
      `There is no checked Node 24 for ${process.platform}-${process.arch} to download: install Node 24, then try again.`,
    )
  const { version } = locked
  const binary = join(toolchain, 'node/node_modules', name, 'bin/node')
  if (versionOf(binary) === `v${version}`) return binary
  console.error(`Downloading Node ${version} …`)
  npmInstall('node', `Node ${version} for ${process.platform}-${process.arch}`, true)
  // npm leaves an optional package out if its digest is wrong.
  if (!existsSync(binary))
    fail(
      `Node ${version} could not be downloaded, or differs from the one that this repository names: check the network, then try again.`,
    )
  if (versionOf(binary) !== `v${version}`)
    fail(`Node ${version} was downloaded but does not run on this machine: install Node 24, then try again.`)
  return binary
}

function versionOf(binary) {
  if (!existsSync(binary)) return undefined
  return spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout?.trim()
}

/** Installs the packages if the lockfile has changed since the last installation. */
function ensurePackages(node, env) {
  const stampFile = join(root, 'node_modules/.looptide-installed')
  const hash = createHash('sha256')
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'])
    hash.update(readFileSync(join(root, file)))
  const stamp = hash.update(node).digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  const lock = lockOf('pnpm')
  const { version } = lock['node_modules/pnpm']
  const pnpm = join(toolchain, 'pnpm/node_modules/pnpm')
  if (!hasPackage(pnpm, version)) {
    console.error(`Downloading pnpm ${version} …`)
    npmInstall('pnpm', `pnpm ${version}`, lock[`node_modules/@pnpm/exe.${platformOfPnpm()}`] !== undefined)
  }
  console.error('Installing packages …')
  const sentence = 'The packages could not be installed (see above): check the network, then try again.'
  run(node, [join(pnpm, 'bin/pnpm.mjs'), 'install', '--frozen-lockfile', '--prefer-offline'], sentence, {
    ...env,
    CI: 'true',
  })
  writeFileSync(stampFile, stamp)
}

/** The lockfile has pnpm's program for the C library glibc only. */
function platformOfPnpm() {
  const isMusl = process.platform === 'linux' && !process.report?.getReport().header.glibcVersionRuntime
  return `${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`
}

function hasPackage(folder, version) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version === version
  } catch {
    return false
  }
}

/** Becomes the program if this Node can; otherwise starts it, forwards signals, and exits as it exits. */
function runProgram(node, command, rest, env) {
  process.chdir(root)
  const program = programs[command]
  const args = [...nodeArgs[command], join(root, program), ...rest]
  // Saves the memory of a process that only waits.
  process.execve?.(node, [node, ...args], env)
  // The IPC channel closes when this process is killed, so that the program does not keep running.
  const child = spawn(node, args, { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A shell or an npm between this process and the operator may end without forwarding the signal.
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 300).unref()
  child.on('error', (error) => fail(`${program} could not be started: ${error.message}.`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}

/**
 * A sentence for an error of the file system that the operator can repair; undefined for others. On a read-only disk Node
 * reports ENOENT.
 */
function explain(error) {
  const where = error.path === undefined ? '' : ` (${error.path})`
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    return `The disk of ${root} is full${where}: free some space, then try again.`
  const isReadOnly = error.code === 'ENOENT' && error.syscall === 'mkdir'
  if (isReadOnly || error.code === 'EROFS' || error.code === 'EACCES' || error.code === 'EPERM')
    return `${root} cannot be written${where}: run Looptide from a folder that belongs to you.`
  return undefined
}

const [command, ...rest] = process.argv.slice(2)
if (programs[command] === undefined) fail(`Name a command: one of ${Object.keys(programs).join(', ')}.`)
if (process.platform === 'win32')
  fail('Looptide runs on Linux and macOS: on Windows use WSL, or docker compose.')
try {
  requireSpace()
  const node = ensureNode()
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) }
  if (command === 'start') {
    env.NODE_COMPILE_CACHE ??= join(root, '.local/compile-cache')
    env.MALLOC_ARENA_MAX ??= '2'
  }
  ensurePackages(node, env)
  runProgram(node, command, rest, env)
} catch (error) {
  const sentence = explain(error)
  if (sentence === undefined) throw error
  fail(sentence)
}
