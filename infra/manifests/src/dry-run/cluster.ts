import { randomBytes } from 'node:crypto'
import { Failure } from '@looptide/backing/failure'
import { type Fault, type Manifest, nameOf } from '../manifest.ts'
import type { Kubectl } from './kubectl.ts'

/** No cluster answers. */
export class NoCluster extends Failure {}

/** Warning about objects that were not created by `kubectl apply`, which fixes that itself. */
const UNTRACKED = /^Warning: resource \S+ is missing the kubectl\.kubernetes\.io\/last-applied-configuration/

/**
 * Version and address of the cluster.
 *
 * @throws NoCluster when none answers
 */
export async function describeCluster(kubectl: Kubectl): Promise<string> {
  const { out: address } = await kubectl([
    'config',
    'view',
    '--minify',
    '--output=jsonpath={.clusters[0].cluster.server}',
  ])
  const { done, out, err } = await kubectl(['version', '--output=json', '--request-timeout=10s'])
  if (!done) {
    const where = address === '' ? 'No cluster is named' : `No cluster answers at ${address}`
    const why = err.split('\n').at(-1) ?? ''
    throw new NoCluster(`${where}: name one by --kubeconfig, --context or KUBECONFIG. kubectl says: ${why}`)
  }
  const { serverVersion } = JSON.parse(out) as { serverVersion?: { gitVersion: string } }
  return `Kubernetes ${serverVersion?.gitVersion ?? 'of an unknown version'} at ${address}`
}

/** Whether the cluster serves an API version: `keda.sh/v1alpha1` if KEDA is installed. */
export async function knows(kubectl: Kubectl, apiVersion: string): Promise<boolean> {
  const { done, err } = await kubectl(['get', '--raw', `/apis/${apiVersion}`])
  if (!done && !/NotFound|could not find the requested resource/.test(err)) throw new Failure(err)
  return done
}

/** Whether a namespace exists. */
export async function hasNamespace(kubectl: Kubectl, name: string): Promise<boolean> {
  const { done, out, err } = await kubectl(['get', 'namespace', name, '--ignore-not-found', '--output=name'])
  if (!done) throw new Failure(err)
  return out !== ''
}

/**
 * Creates a namespace with the rules of our namespace (`restricted`). Nothing is written to it; a dry run needs an object's
 * namespace to exist. The caller deletes it with {@link removeNamespace}.
 */
export async function makeNamespace(kubectl: Kubectl): Promise<string> {
  const name = `looptide-dry-run-${randomBytes(4).toString('hex')}`
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }
  const { done, err } = await kubectl(['create', '--filename=-'], JSON.stringify(object))
  if (!done) throw new Failure(`The namespace for the dry run could not be created. ${err}`)
  return name
}

/** Deletes a namespace of {@link makeNamespace} without waiting. */
export async function removeNamespace(kubectl: Kubectl, name: string): Promise<void> {
  const { done, err } = await kubectl(['delete', 'namespace', name, '--wait=false'])
  if (!done) throw new Failure(`The namespace ${name} could not be deleted: delete it. ${err}`)
}

/**
 * The API server's refusals and warnings for the objects (pods that a namespace will refuse, deprecated versions).
 * Nothing is written.
 *
 * @param namespace for objects that name none; default: that of the context, as when they are applied
 */
export async function serverFaults(
  kubectl: Kubectl,
  objects: readonly Manifest[],
  namespace?: string,
): Promise<Fault[]> {
  const together = await complaint(kubectl, objects, namespace)
  if (together === '') return []
  // A warning names no object: sending each object separately shows which one it is.
  const faults: Fault[] = []
  for (const object of objects) {
    const what = await complaint(kubectl, [object], namespace)
    if (what !== '') faults.push({ object: nameOf(object), what })
  }
  return faults.length > 0 ? faults : [{ object: 'all together', what: together }]
}

async function complaint(
  kubectl: Kubectl,
  items: readonly Manifest[],
  namespace: string | undefined,
): Promise<string> {
  // One after the other: kubectl itself, not the server, would validate a List.
  const stream = items.map((item) => JSON.stringify(item)).join('\n')
  const inOne = namespace === undefined ? [] : [`--namespace=${namespace}`]
  const { done, err } = await kubectl(
    ['apply', '--dry-run=server', '--validate=strict', ...inOne, '--filename=-'],
    stream,
  )
  const said = err.split('\n').filter((line) => line !== '' && !UNTRACKED.test(line))
  if (!done && said.length === 0) return 'kubectl failed without a message'
  return said.join('\n')
}
