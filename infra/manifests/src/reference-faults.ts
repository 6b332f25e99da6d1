import type { IContainer } from 'kubernetes-models/v1/Container'
import type { IService } from 'kubernetes-models/v1/Service'
import { type Fault, hasLabels, type Manifest, nameOf, ofKind, type Workload, workloads } from './manifest.ts'

/** References to objects that do not exist. Objects of charts are not included. */
export function referenceFaults(objects: readonly Manifest[]): Fault[] {
  const pods = workloads(objects)
  const found = (wanted: Record<string, string> | undefined) =>
    pods.filter((pod) => hasLabels(pod.labels, wanted))
  const faults: Fault[] = []
  const blame = (object: Manifest, what: string) => faults.push({ object: nameOf(object), what })
  for (const pod of pods) {
    const isJob = pod.object.kind === 'Job'
    if (!isJob && (pod.selector === undefined || !hasLabels(pod.labels, pod.selector)))
      blame(pod.object, 'its selector does not match its own pods')
    for (const what of containerFaults(pod)) blame(pod.object, what)
    for (const spread of pod.template.spec?.topologySpreadConstraints ?? []) {
      if (!hasLabels(pod.labels, spread.labelSelector?.matchLabels))
        blame(pod.object, 'its spread constraint selects the pods of others')
    }
  }
  for (const service of ofKind(objects, 'Service')) {
    const pods = found(service.spec?.selector)
    if (pods.length === 0) blame(service, 'it has no pods')
    for (const pod of pods) for (const what of servicePortFaults(service, pod)) blame(service, what)
  }
  for (const budget of ofKind(objects, 'PodDisruptionBudget')) {
    if (found(budget.spec?.selector?.matchLabels).length !== 1)
      blame(budget, 'it does not select exactly one workload')
  }
  for (const scaler of ofKind(objects, 'HorizontalPodAutoscaler')) {
    const {
      minReplicas = 1,
      maxReplicas,
      scaleTargetRef,
    } = scaler.spec ?? { maxReplicas: 0, scaleTargetRef: { name: '' } }
    if (minReplicas > maxReplicas)
      blame(scaler, `at least ${minReplicas} is more than at most ${maxReplicas}`)
    const target = ofKind(objects, 'Deployment').find(({ metadata }) => metadata.name === scaleTargetRef.name)
    if (target === undefined) blame(scaler, `there is no Deployment ${scaleTargetRef.name}`)
    else if (target.spec?.replicas !== undefined) blame(scaler, 'its Deployment sets replicas as well')
  }
  for (const ingress of ofKind(objects, 'Ingress')) {
    const paths = (ingress.spec?.rules ?? []).flatMap((rule) => rule.http?.paths ?? [])
    for (const { backend } of paths) {
      const service = ofKind(objects, 'Service').find(
        ({ metadata }) => metadata.name === backend.service?.name,
      )
      const ports = (service?.spec?.ports ?? []).flatMap((port) => [port.name, port.port])
      const { name, number } = backend.service?.port ?? {}
      if (!ports.includes(name ?? number))
        blame(ingress, `there is no ${backend.service?.name} with that port`)
    }
  }
  return faults
}

function servicePortFaults(service: IService, pod: Workload): string[] {
  const names = (pod.template.spec?.containers ?? []).flatMap((container) => portNames(container))
  return (service.spec?.ports ?? [])
    .filter(({ targetPort }) => typeof targetPort === 'string' && !names.includes(targetPort))
    .map(({ targetPort }) => `${nameOf(pod.object)} has no port ${targetPort}`)
}

const portNames = (container: IContainer): string[] =>
  (container.ports ?? []).flatMap((port) => port.name ?? [])

function containerFaults({ template, claims }: Workload): string[] {
  const spec = template.spec
  const volumes = [...claims, ...(spec?.volumes ?? []).map((volume) => volume.name)]
  return (spec?.containers ?? []).flatMap((container) => {
    const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe]
    const asked = probes.flatMap((probe) => probe?.httpGet?.port ?? probe?.tcpSocket?.port ?? [])
    const ports = asked.filter((port) => typeof port === 'string' && !portNames(container).includes(port))
    const mounts = (container.volumeMounts ?? []).filter(({ name }) => !volumes.includes(name))
    const names = (container.env ?? []).map(({ name }) => name)
    return [
      ...ports.map((port) => `${container.name}: a probe uses the port ${port}, which does not exist`),
      ...mounts.map(({ name }) => `${container.name}: there is no volume ${name}`),
      ...names
        .filter((name, at) => names.indexOf(name) !== at)
        .map((name) => `${container.name}: ${name} stands twice`),
    ]
  })
}
