import { spawnSync } from 'node:child_process'
import { Failure } from '../failure.ts'
import { unpackedRoot } from '../paths.ts'
import { unpackWithApt } from './apt.ts'
import { findProgram, findUnpacked, type Program } from './programs.ts'

/** The first release of Debian whose kubectl brings a kustomize that knows all we use; bookworm's has 2.0. */
const DEBIAN_RELEASE = 'trixie'
const OLDEST_KUSTOMIZE = 5

/** A kubectl of this machine, or one unpacked for us before, whose kustomize is new enough. */
export function findKubectl(): Program | undefined {
  const candidates = [findProgram('kubectl'), findUnpacked('kubectl', unpackedRoot)]
  return candidates.find((program) => program !== undefined && kustomizeVersion(program) >= OLDEST_KUSTOMIZE)
}

/**
 * Finds kubectl, or unpacks Debian's. It is never installed: the package may be of another release than the machine.
 *
 * @throws Failure with one sentence that says what to do when there is no way
 */
export async function obtainKubectl(say: (text: string) => void): Promise<Program> {
  const found = findKubectl()
  if (found !== undefined) return found
  const cure = 'install kubectl 1.27 or newer (Homebrew: kubernetes-cli).'
  say(`kubectl is not on this machine, unpacking the package kubectl of Debian ${DEBIAN_RELEASE} …`)
  try {
    await unpackWithApt(['kubectl'], unpackedRoot, DEBIAN_RELEASE)
  } catch (cause) {
    throw new Failure(`The checks of k8s/ need kubectl, which is not on this machine: ${cure}`, { cause })
  }
  const unpacked = findKubectl()
  if (unpacked === undefined)
    throw new Failure(`The package was unpacked but its kubectl does not run: ${cure}`)
  return unpacked
}

/** The major version of the kustomize within, 0 where there is none. */
function kustomizeVersion({ path, env }: Program): number {
  const { stdout } = spawnSync(path, ['version', '--client', '--output=json'], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return Number(/"kustomizeVersion":\s*"v(\d+)\./.exec(stdout ?? '')?.[1] ?? 0)
}
