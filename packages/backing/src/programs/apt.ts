import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Failure } from '../failure.ts'

const policy = '/usr/sbin/policy-rc.d'
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'

/**
 * Installs Debian packages, as root. Their services are not started: the station starts its own.
 *
 * @throws Failure with apt's last line of output
 */
export async function installWithApt(packages: readonly string[]): Promise<void> {
  const ownPolicy = !existsSync(policy)
  // Debian's mechanism (invoke-rc.d): exit code 101 means "not allowed to start".
  if (ownPolicy) await writeFile(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    await run('apt-get', ['update', '-qq'])
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages])
  } finally {
    if (ownPolicy) await rm(policy, { force: true })
  }
}

/**
 * Unpacks Debian packages and their dependencies below `root`. Needs no privileges.
 *
 * @param release code name of a Debian release, if it is not the machine's
 * @throws Failure with apt's last line of output
 */
export async function unpackWithApt(
  packages: readonly string[],
  root: string,
  release?: string,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'looptide-apt-'))
  try {
    await mkdir(join(folder, 'lists/partial'), { recursive: true })
    await mkdir(join(folder, 'cache/archives/partial'), { recursive: true })
    const own = [
      '-o',
      `Dir::State::lists=${join(folder, 'lists')}`,
      '-o',
      `Dir::Cache=${join(folder, 'cache')}`,
      ...(release === undefined ? [] : await sourceOptions(folder, release)),
    ]
    await run('apt-get', [...own, 'update', '-qq'])
    const simulated = await run('apt-get', [
      ...own,
      'install',
      '--simulate',
      '--no-install-recommends',
      ...packages,
    ])
    // "Inst libpq5 (15.18 Debian:12 [amd64])": packages that are missing on this machine, dependencies included.
    const missing = [...simulated.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '')
    await run('apt-get', [...own, 'download', '-qq', ...missing], folder)
    await mkdir(root, { recursive: true })
    for (const file of (await readdir(folder)).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg-deb', ['-x', join(folder, file), root])
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Options that make apt read a single Debian release, from the mirror of the machine's own release. */
async function sourceOptions(folder: string, release: string): Promise<string[]> {
  const codename = /^VERSION_CODENAME=(.+)$/m.exec(await readFile('/etc/os-release', 'utf8'))?.[1]
  const targets = await run('apt-get', ['indextargets', '--format', '$(REPO_URI) $(RELEASE) $(COMPONENT)'])
  const own = targets.split('\n').find((line) => line.endsWith(` ${codename} main`))
  const mirror = own?.split(' ')[0]
  if (mirror === undefined || !existsSync(keyring))
    throw new Failure('No Debian mirror is configured on this machine.')
  const list = join(folder, 'sources.list')
  await writeFile(list, `deb [signed-by=${keyring}] ${mirror} ${release} main\n`)
  return ['-o', `Dir::Etc::sourcelist=${list}`, '-o', 'Dir::Etc::sourceparts=-']
}

async function run(command: string, args: readonly string[], cwd = '/'): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, [...args], {
      cwd,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout
  } catch (cause) {
    const output = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause)
    const lastLine = output
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('W:'))
      .at(-1)
    throw new Failure(`${command} ${args.at(-1) ?? ''}: ${lastLine ?? 'failed'}`, { cause })
  }
}
