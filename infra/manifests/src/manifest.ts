import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment'
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import type { IJob } from 'kubernetes-models/batch/v1/Job'
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap'
import type { IPodTemplateSpec } from 'kubernetes-models/v1/PodTemplateSpec'
import type { ISecret } from 'kubernetes-models/v1/Secret'
import type { IService } from 'kubernetes-models/v1/Service'

/** Fields of every API object. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: {
    name: string
    namespace?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
  }
}

/** The kinds that rules inspect. {@link structureFaults} checks first that an object matches its kind. */
interface Kinds {
  ConfigMap: IConfigMap
  Deployment: IDeployment
  HorizontalPodAutoscaler: IHorizontalPodAutoscaler
  Ingress: IIngress
  Job: IJob
  NetworkPolicy: INetworkPolicy
  PodDisruptionBudget: IPodDisruptionBudget
  Secret: ISecret
  Service: IService
  StatefulSet: IStatefulSet
}

/** A fault and its place. */
export interface Fault {
  /** `Kind name`, or `Kind namespace/name`. */
  object: string
  what: string
}

/** Kind, namespace and name of a manifest, as findings name it. */
export const nameOf = ({ kind, metadata: { namespace, name } }: Manifest): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`

/** All objects of one kind. */
export function ofKind<K extends keyof Kinds>(
  objects: readonly Manifest[],
  kind: K,
): (Manifest & Kinds[K])[] {
  return objects.filter((object) => object.kind === kind) as (Manifest & Kinds[K])[]
}

/** An object that creates pods, and those pods. */
export interface Workload {
  object: Manifest
  template: IPodTemplateSpec
  labels: Record<string, string>
  /** Selector of its pods; a job needs none. */
  selector: Record<string, string> | undefined
  /** Volumes that each pod claims for itself. */
  claims: string[]
}

/** Every Deployment, StatefulSet and Job. */
export function workloads(objects: readonly Manifest[]): Workload[] {
  const makers = [
    ...ofKind(objects, 'Deployment'),
    ...ofKind(objects, 'StatefulSet'),
    ...ofKind(objects, 'Job'),
  ]
  return makers.flatMap((object) => {
    const template = object.spec?.template
    if (template === undefined) return []
    const selector = object.spec?.selector?.matchLabels
    const claims = object.kind === 'StatefulSet' ? (object.spec?.volumeClaimTemplates ?? []) : []
    const names = claims.flatMap((claim) => claim.metadata?.name ?? [])
    return [{ object, template, labels: template.metadata?.labels ?? {}, selector, claims: names }]
  })
}

/** Whether `labels` contains all of `wanted`. */
export function hasLabels(
  labels: Record<string, string>,
  wanted: Record<string, string> | undefined,
): boolean {
  return Object.entries(wanted ?? {}).every(([key, value]) => labels[key] === value)
}
