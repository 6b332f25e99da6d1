import { type Fault, type Manifest, nameOf, ofKind, workloads } from './manifest.ts'

/** RFC 1123 subdomain: the name of almost every object. */
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
/** RFC 1035 label: the name of a Service. */
const SERVICE = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
/** IANA service name (RFC 6335): at most 15 letters, digits and single hyphens, with at least one letter. */
const PORT = /^(?=.{1,15}$)(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const LABEL_KEY = /^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/

/** Invalid or duplicate names, ports and labels. */
export function nameFaults(objects: readonly Manifest[]): Fault[] {
  const faults: Fault[] = []
  const blame = (object: Manifest, what: string) => faults.push({ object: nameOf(object), what })
  const seen = new Set<string>()
  for (const object of objects) {
    const { name, namespace, labels } = object.metadata
    const shape = object.kind === 'Service' ? SERVICE : NAME
    if (!shape.test(name) || name.length > (object.kind === 'Service' ? 63 : 253))
      blame(object, `bad name "${name}"`)
    const identity = `${object.apiVersion.split('/')[0]} ${object.kind} ${namespace} ${name}`
    if (seen.has(identity)) blame(object, 'is defined twice')
    seen.add(identity)
    for (const what of badLabels(labels)) blame(object, what)
  }
  for (const { object, template, labels } of workloads(objects)) {
    for (const what of badLabels(labels)) blame(object, what)
    const ports = (template.spec?.containers ?? []).flatMap((container) => container.ports ?? [])
    const names = ports.flatMap((port) => port.name ?? [])
    for (const name of names) if (!PORT.test(name)) blame(object, `bad port name "${name}"`)
    if (new Set(names).size !== names.length) blame(object, 'two ports have the same name')
  }
  for (const service of ofKind(objects, 'Service')) {
    const names = (service.spec?.ports ?? []).map((port) => port.name)
    if (names.length > 1 && names.some((name) => name === undefined))
      blame(service, 'several ports need names')
    if (new Set(names).size !== names.length) blame(service, 'two ports have the same name')
  }
  return faults
}

function badLabels(labels: Record<string, string> | undefined): string[] {
  return Object.entries(labels ?? {})
    .filter(([key, value]) => !LABEL_KEY.test(key) || !LABEL_VALUE.test(value) || value.length > 63)
    .map(([key, value]) => `bad label ${key}: "${value}"`)
}
