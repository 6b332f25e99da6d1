import { type Fault, type Manifest, nameOf } from '../manifest.ts'
import { hasNamespace, knows, serverFaults } from './cluster.ts'
import type { Kubectl } from './kubectl.ts'

/** How much of a long line is shown of each end. */
const SHOWN_END = 240

/** What came of sending a set of manifests. */
export interface Outcome {
  /** How many objects the API server was asked about. */
  asked: number
  /** Those of groups the cluster does not serve, since the operator they are for is not installed. */
  leftOut: Manifest[]
  faults: Fault[]
}

/** Where a set of manifests is tried. */
export interface Place {
  kubectl: Kubectl
  /** The namespace made for this run. */
  spare: string
  /** Whether a namespace of the manifests is used where it is there: then what already runs in it counts too. */
  live: boolean
}

/** Asks the API server whether it would take all of the manifests. */
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
    // Where one is named for all, kubectl refuses objects of another.
    there.size === 0 ? spare : undefined,
  )
  return {
    asked: sent.length,
    leftOut: objects.filter(({ apiVersion }) => absent.has(apiVersion)),
    faults: faults.map(({ object, what }) => ({ object: object.replace(`${spare}/`, ''), what })),
  }
}

/** Whether a group is not Kubernetes' own: those of others have a domain of theirs. */
export function isOfOthers(apiVersion: string): boolean {
  const [group = '', version] = apiVersion.split('/')
  return version !== undefined && group.includes('.') && !group.endsWith('.k8s.io')
}

/** The object in its own namespace if that is there, else in the spare one. */
export function inNamespace(object: Manifest, there: ReadonlySet<string>, spare: string): Manifest {
  const { namespace } = object.metadata
  if (namespace === undefined || there.has(namespace)) return object
  return { ...object, metadata: { ...object.metadata, namespace: spare } }
}

/** What came out, in lines for people. */
export function reportOf(name: string, { asked, leftOut, faults }: Outcome): string[] {
  const bad = faults.length === 0 ? '' : `, ${faults.length} with a fault`
  const groups = [...new Set(leftOut.map(({ apiVersion }) => apiVersion))].join(', ')
  return [
    `${name}: ${asked} objects asked about${bad}`,
    ...(leftOut.length === 0
      ? []
      : [`  left out, for the cluster does not know ${groups}: ${leftOut.map(nameOf).join(', ')}`]),
    ...faults.map(({ object, what }) => `  ${object}: ${what.split('\n').map(shortened).join('\n    ')}`),
  ]
}

/** A refused change is told with the whole object in the middle; what is wrong with it stands at the end. */
function shortened(line: string): string {
  return line.length <= 2 * SHOWN_END ? line : `${line.slice(0, SHOWN_END)} … ${line.slice(-SHOWN_END)}`
}
