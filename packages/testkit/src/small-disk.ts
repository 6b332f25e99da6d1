import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Account, unprivilegedAccount } from '@looptide/backing/programs/run-as'

/** User id inside the namespace: Postgres refuses to run as root, even if root is mapped to an ordinary user. */
const INSIDE_ID = 1000
/** Sizes of the blocks that fill the disk, in KiB, down to the last byte. */
const PIECE_KIB = 4

/**
 * A file system of limited size, in memory, mounted in its own mount namespace. Needs Linux and either root or permission
 * to create user namespaces. It is removed when the process that holds the namespace exits.
 */
export class SmallDisk {
  readonly folder: string
  readonly #holder: ChildProcess

  constructor(folder: string, holder: ChildProcess) {
    this.folder = folder
    this.#holder = holder
  }

  /** @throws Error with the system's message if such a disk cannot be created */
  static async make(mebibytes: number): Promise<SmallDisk> {
    const folder = await mkdtemp(join(tmpdir(), 'looptide-disk-'))
    const mount = 'mount -t tmpfs -o size="$1"m,mode=1777 tmpfs "$0" && echo mounted && exec sleep infinity'
    const holder = spawn(
      'unshare',
      [
        ...(isRoot() ? [] : ['--user', '--map-root-user']),
        '--mount',
        ...['setpriv', '--pdeathsig', 'KILL', 'sh', '-c', mount, folder, String(mebibytes)],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let said = ''
    holder.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const failed = new Promise<never>((_resolve, reject) => {
      holder.once('error', reject)
      holder.once('exit', () => reject(new Error(`A small disk cannot be created on this machine: ${said}`)))
    })
    await Promise.race([once(holder.stdout, 'data'), failed])
    failed.catch(() => undefined)
    return new SmallDisk(folder, holder)
  }

  /** Command prefix that enters the mount namespace with a user that Postgres accepts. */
  get enter(): readonly string[] {
    const target = ['nsenter', '--target', String(this.#holder.pid), '--mount']
    const account = this.account
    if (account !== undefined)
      return [...target, '--setuid', String(account.uid), '--setgid', String(account.gid)]
    const nobody = ['unshare', '--user', `--map-user=${INSIDE_ID}`, `--map-group=${INSIDE_ID}`]
    return [...target, '--user', '--preserve-credentials', ...nobody]
  }

  get account(): Account | undefined {
    return unprivilegedAccount()
  }

  /** Fills the disk completely. */
  fill(): void {
    const filler = join(this.folder, 'filler')
    this.#run(`dd if=/dev/zero of="${filler}" bs=${PIECE_KIB}k oflag=append conv=notrunc status=none || true`)
  }

  /** Frees the space taken by `fill`. */
  free(): void {
    this.#run(`rm -f "${join(this.folder, 'filler')}"`)
  }

  #run(script: string): void {
    const [command = '', ...args] = [...this.enter, 'sh', '-c', script]
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`the small disk: ${stderr}`)
  }

  /** Unmounts and deletes it. All processes that use it must have exited. */
  async remove(): Promise<void> {
    const ended = once(this.#holder, 'exit')
    this.#holder.kill('SIGKILL')
    await ended
    await rm(this.folder, { recursive: true, force: true })
  }
}

const isRoot = (): boolean => process.getuid?.() === 0
