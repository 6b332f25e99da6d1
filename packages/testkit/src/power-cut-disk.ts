import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH`: the file system stops immediately, without writing its page cache or
 * journal. xfstests simulates power failures with it. Node has no ioctl; Perl is installed on every Debian.
 */
const SHUT_DOWN =
  'open(my $f, "<", $ARGV[0]) or die $!; my $flags = pack("L", 2); ioctl($f, 0x8004587D, $flags) or die $!'

/**
 * An ext4 file system (an image on a loop device) whose power can be cut: all data and directory entries that no `fsync`
 * or journal commit has written are lost, as in a real power failure. Mounted with Debian's default options. A drive that
 * ignores flushes is not simulated. Needs Linux and root.
 */
export class PowerCutDisk {
  /** Mount point. */
  readonly folder: string
  readonly #root: string
  readonly #watchdog: ChildProcess
  #cuts = 0

  constructor(root: string, watchdog: ChildProcess) {
    this.#root = root
    this.folder = join(root, 'mount')
    this.#watchdog = watchdog
  }

  /**
   * Creates and mounts an empty disk.
   *
   * @throws Error with the missing requirement if such a disk cannot be created
   */
  static async make(mebibytes: number): Promise<PowerCutDisk> {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) {
      throw new Error('Power-cut tests mount ext4 images: run them on Linux as root (sudo npm test).')
    }
    const root = await mkdtemp(join(tmpdir(), 'looptide-power-'))
    // Postgres's user needs access to its folder below.
    chmodSync(root, 0o711)
    await mkdir(join(root, 'mount'))
    const disk = new PowerCutDisk(root, unmountAtEnd(join(root, 'mount')))
    await writeFile(disk.#image, '')
    await truncate(disk.#image, mebibytes * 1024 * 1024)
    run('mkfs.ext4', ['-q', '-F', disk.#image])
    disk.#mount()
    chmodSync(disk.folder, 0o1777)
    return disk
  }

  get #image(): string {
    return join(this.#root, `disk-${this.#cuts}.img`)
  }

  #mount(): void {
    run('mount', ['-t', 'ext4', '-o', 'loop', this.#image, this.folder])
  }

  /** Writes everything to the disk, as the kernel does after 30 s. */
  sync(): void {
    run('sync', ['--file-system', this.folder])
  }

  /** Cuts the power: from now on every access fails, and what was not synced is lost. */
  cut(): void {
    run('perl', ['-e', SHUT_DOWN, this.folder])
  }

  /** Mounts the disk again, which replays the journal. Processes that used the disk must have exited. */
  restore(): void {
    const before = this.#image
    run('umount', ['--lazy', this.folder])
    // A mount namespace created meanwhile may keep the stopped file system, so its image is not mounted again.
    this.#cuts += 1
    run('cp', ['--sparse=always', before, this.#image])
    rmSync(before)
    this.#mount()
  }

  /** Unmounts and deletes it. */
  async remove(): Promise<void> {
    const ended = once(this.#watchdog, 'exit')
    this.#watchdog.stdin?.end()
    await ended
    await rm(this.#root, { recursive: true, force: true })
  }
}

/** Unmounts `folder` when its standard input closes: also when this process is killed. */
function unmountAtEnd(folder: string): ChildProcess {
  // The loop device is detached with the last use of the mount.
  const script = 'cat >/dev/null; umount --lazy "$0" 2>/dev/null; exit 0'
  return spawn('sh', ['-c', script, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
}

function run(command: string, args: readonly string[]): void {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (cause) {
    const stderr = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : ''
    const reason = stderr === '' ? String(cause) : stderr
    throw new Error(
      `${command} failed: ${reason}. Power-cut tests need mount, mkfs.ext4 and perl (packages mount, e2fsprogs, perl-base) and loop devices.`,
      { cause },
    )
  }
}
