import { spawnSync } from 'node:child_process'
import { Failure } from '../failure.ts'
import { unpackedRoot } from '../paths.ts'
import { unpackWithApt } from './apt.ts'
import { findProgram, findUnpacked, type Program } from './programs.ts'

/** The first Debian release whose kubectl contains a recent enough kustomize; bookworm's has 2.0. */
const DEBIAN_RELEASE = 'trixie'
const OLDEST_KUSTOMIZE = 5

/** An installed or previously unpacked kubectl whose kustomize is recent enough. */
export function findKubectl(): Program | undefined {
  const candidates = [findProgram('kubectl'), findUnpacked('kubectl', unpackedRoot)]
  return candidates.find((program) => program !== undefined && kustomizeVersion(program) >= OLDEST_KUSTOMIZE)
}

/**
 * Finds kubectl, or unpacks Debian's. It is not installed, because the package may be of another Debian release.
 *
 * @throws Failure with a sentence that says what to do
 */
export async function obtainKubectl(say: (text: string) => void): Promise<Program> {
  const found = findKubectl()
  if (found !== undefined) return found
  const cure = 'install kubectl 1.27 or newer (Homebrew: kubernetes-cli).'
  say(`kubectl is not installed, unpacking the package kubectl of Debian ${DEBIAN_RELEASE} …`)
  try {
    await unpackWithApt(['kubectl'], unpackedRoot, DEBIAN_RELEASE)
  } catch (cause) {
    throw new Failure(`The checks of k8s/ need kubectl, which is not installed: ${cure}`, { cause })
  }
  const unpacked = findKubectl()
  if (unpacked === undefined)
    throw new Failure(`The package was unpacked but its kubectl does not run: ${cure}`)
  return unpacked
}

/** Major version of the built-in kustomize; 0 if there is none. */
function kustomizeVersion({ path, env }: Program): number {
  const { stdout } = spawnSync(path, ['version', '--client', '--output=json'], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return Number(/"kustomizeVersion":\s*"v(\d+)\./.exec(stdout ?? '')?.[1] ?? 0)
}
