import { type Fault, type Manifest, nameOf } from '../manifest.ts'
import { hasNamespace, knows, serverFaults } from './cluster.ts'
import type { Kubectl } from './kubectl.ts'

/** Characters shown of each end of a long line. */
const SHOWN_END = 240

/** Result of sending a set of manifests. */
export interface Outcome {
  /** Number of objects sent. */
  asked: number
  /** Objects of groups that the cluster does not serve, because their operator is not installed. */
  leftOut: Manifest[]
  faults: Fault[]
}

/** Target of a set of manifests. */
export interface Place {
  kubectl: Kubectl
  /** The namespace made for this run. */
  spare: string
  /** Whether to use the namespace of the manifests if it exists: then what already runs in it counts too. */
  live: boolean
}

/** Asks the API server whether it accepts all manifests. */
export async function tryManifests(objects: readonly Manifest[], place: Place): Promise<Outcome> {
  const { kubectl, spare, live } = place
  const absent = new Set<string>()
  for (const apiVersion of new Set(objects.map((object) => object.apiVersion)))
    if (isOfOthers(apiVersion) && !(await knows(kubectl, apiVersion))) absent.add(apiVersion)
  const there = new Set<string>()
  const named = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []))
  for (const name of live ? named : []) if (await hasNamespace(kubectl, name)) there.add(name)
  const sent = objects.filter(({ apiVersion }) => !absent.has(apiVersion))
  const faults = await serverFaults(
    kubectl,
    sent.map((object) => inNamespace(object, there, spare)),
    // With a namespace option, kubectl refuses objects of other namespaces.
    there.size === 0 ? spare : undefined,
  )
  return {
    asked: sent.length,
    leftOut: objects.filter(({ apiVersion }) => absent.has(apiVersion)),
    faults: faults.map(({ object, what }) => ({ object: object.replace(`${spare}/`, ''), what })),
  }
}

/** Whether a group is not Kubernetes' own: other groups have a domain. */
export function isOfOthers(apiVersion: string): boolean {
  const [group = '', version] = apiVersion.split('/')
  return version !== undefined && group.includes('.') && !group.endsWith('.k8s.io')
}

/** The object in its own namespace if that exists, else in the temporary one. */
function inNamespace(object: Manifest, there: ReadonlySet<string>, spare: string): Manifest {
  const { namespace } = object.metadata
  if (namespace === undefined || there.has(namespace)) return object
  return { ...object, metadata: { ...object.metadata, namespace: spare } }
}

/** The result as lines of text. */
export function reportOf(name: string, { asked, leftOut, faults }: Outcome): string[] {
  const bad = faults.length === 0 ? '' : `, ${faults.length} with a fault`
  const groups = [...new Set(leftOut.map(({ apiVersion }) => apiVersion))].join(', ')
  return [
    `${name}: ${asked} objects sent${bad}`,
    ...(leftOut.length === 0
      ? []
      : [`  skipped, because the cluster does not serve ${groups}: ${leftOut.map(nameOf).join(', ')}`]),
    ...faults.map(({ object, what }) => `  ${object}: ${what.split('\n').map(shortened).join('\n    ')}`),
  ]
}

/** A refusal contains the whole object in the middle; the reason is at the end. */
function shortened(line: string): string {
  return line.length <= 2 * SHOWN_END ? line : `${line.slice(0, SHOWN_END)} … ${line.slice(-SHOWN_END)}`
}
