// `npm start` and `npm test` on a machine with no more than Node 18 and npm: downloads Node and pnpm in the versions of
// this project, installs the packages, and starts the program. Plain JavaScript without imports other than Node's own,
// because nothing is installed yet.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const nodeVersion = '24.21.0'
const pnpmVersion = '12.21.0'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const toolchain = join(root, '.local/toolchain')
const programs = { start: 'infra/runner/src/start.ts', test: 'infra/verify.ts' }

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

function npmInstall(specifier, what) {
  mkdirSync(toolchain, { recursive: true })
  const args = [
    'install',
    '--prefix',
    toolchain,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--fetch-retries=1',
    specifier,
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

/** The path of a Node that can run the project: this one, or a downloaded one. */
function ensureNode() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  const name = `node-${process.platform}-${process.arch}`
  const binary = join(toolchain, 'node_modules', name, 'bin/node')
  if (versionOf(binary) === `v${nodeVersion}`) return binary
  console.log(`Downloading Node ${nodeVersion} …`)
  npmInstall(`${name}@${nodeVersion}`, `Node ${nodeVersion} for ${process.platform}-${process.arch}`)
  if (versionOf(binary) !== `v${nodeVersion}`) {
    fail(
      `Node ${nodeVersion} was downloaded but does not run on this machine: install Node 24, then try again.`,
    )
  }
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
  const pnpm = join(toolchain, 'node_modules/pnpm')
  if (!hasPackage(pnpm, pnpmVersion)) {
    console.log(`Downloading pnpm ${pnpmVersion} …`)
    npmInstall(`pnpm@${pnpmVersion}`, `pnpm ${pnpmVersion}`)
  }
  console.log('Installing packages …')
  const sentence = 'The packages could not be installed (see above): check the network, then try again.'
  run(node, [join(pnpm, 'bin/pnpm.mjs'), 'install', '--frozen-lockfile', '--prefer-offline'], sentence, {
    ...env,
    CI: 'true',
  })
  writeFileSync(stampFile, stamp)
}

function hasPackage(folder, version) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version === version
  } catch {
    return false
  }
}

/** Starts the program, forwards signals, and exits as it exits. */
function runProgram(node, program, args, env) {
  // The IPC channel closes when this process is killed, so that the program does not keep running.
  const child = spawn(node, [join(root, program), ...args], {
    cwd: root,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
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

const [command, ...rest] = process.argv.slice(2)
const program = programs[command]
if (program === undefined) fail(`Name a command: one of ${Object.keys(programs).join(', ')}.`)
if (process.platform === 'win32')
  fail('Looptide runs on Linux and macOS: on Windows use WSL, or docker compose.')
const node = ensureNode()
const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) }
if (command === 'start') env.NODE_COMPILE_CACHE ??= join(root, '.local/compile-cache')
ensurePackages(node, env)
runProgram(node, program, rest, env)
