import { randomBytes } from 'node:crypto'
import { Failure } from '@looptide/runner/failure'
import { type Fault, type Manifest, nameOf } from '../manifest.ts'
import type { Kubectl } from './kubectl.ts'

/** Nobody answers where a cluster should be. */
export class NoCluster extends Failure {}

/** What is said of objects that were not made by `kubectl apply`; it mends that by itself. */
const UNTRACKED = /^Warning: resource \S+ is missing the kubectl\.kubernetes\.io\/last-applied-configuration/

/**
 * Which cluster answers, for people: its version and address.
 *
 * @throws NoCluster when none does
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

/** Whether the cluster serves a version of a group: `keda.sh/v1alpha1` where KEDA is installed. */
export async function knows(kubectl: Kubectl, apiVersion: string): Promise<boolean> {
  const { done, err } = await kubectl(['get', '--raw', `/apis/${apiVersion}`])
  if (!done && !/NotFound|could not find the requested resource/.test(err)) throw new Failure(err)
  return done
}

/** Whether a namespace is there. */
export async function hasNamespace(kubectl: Kubectl, name: string): Promise<boolean> {
  const { done, out, err } = await kubectl(['get', 'namespace', name, '--ignore-not-found', '--output=name'])
  if (!done) throw new Failure(err)
  return out !== ''
}

/**
 * Makes a namespace with the rules of ours (`restricted`), which nothing is ever written to: a dry run wants the
 * namespace of an object to be there. Whoever made it takes it away by {@link removeNamespace}.
 */
export async function makeNamespace(kubectl: Kubectl): Promise<string> {
  const name = `looptide-dry-run-${randomBytes(4).toString('hex')}`
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }
  const { done, err } = await kubectl(['create', '--filename=-'], JSON.stringify(object))
  if (!done) throw new Failure(`The namespace for the dry run could not be made. ${err}`)
  return name
}

/** Takes a namespace of {@link makeNamespace} away, without waiting for its end. */
export async function removeNamespace(kubectl: Kubectl, name: string): Promise<void> {
  const { done, err } = await kubectl(['delete', 'namespace', name, '--wait=false'])
  if (!done) throw new Failure(`The namespace ${name} is left over: delete it. ${err}`)
}

/**
 * What the API server says against the objects when asked to take them: refusals and warnings (of pods that a
 * namespace will refuse, of versions that will go). Nothing is written.
 *
 * @param namespace where those go that name none; without it the context's own, as when they are applied
 */
export async function serverFaults(
  kubectl: Kubectl,
  objects: readonly Manifest[],
  namespace?: string,
): Promise<Fault[]> {
  const together = await complaint(kubectl, objects, namespace)
  if (together === '') return []
  // A warning names no object: whose it is shows when each is sent by itself.
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
  // One after the other: a List would be held against its schema by kubectl itself, not by the server.
  const stream = items.map((item) => JSON.stringify(item)).join('\n')
  const inOne = namespace === undefined ? [] : [`--namespace=${namespace}`]
  const { done, err } = await kubectl(
    ['apply', '--dry-run=server', '--validate=strict', ...inOne, '--filename=-'],
    stream,
  )
  const said = err.split('\n').filter((line) => line !== '' && !UNTRACKED.test(line))
  if (!done && said.length === 0) return 'kubectl failed and did not say why'
  return said.join('\n')
}
