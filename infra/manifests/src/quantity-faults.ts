import { type Fault, type Manifest, nameOf, ofKind, workloads } from './manifest.ts'

const QUANTITY = /^[+-]?(\d+\.?\d*|\.\d+)(?:([KMGTPE]i|[numkMGTPE])|[eE]([+-]?\d+))?$/
const STEPS = ['', 'k', 'M', 'G', 'T', 'P', 'E']

/** The value of a quantity (`500m` is 0.5, `1Ki` is 1024), or undefined if it is invalid. */
function toNumber(quantity: string | number): number | undefined {
  const match = QUANTITY.exec(String(quantity))
  if (match === null) return undefined
  const [, digits = '', suffix = '', exponent = '0'] = match
  const value = Number(digits) * 10 ** Number(exponent)
  if (suffix.endsWith('i')) return value * 1024 ** STEPS.indexOf(suffix[0] === 'K' ? 'k' : (suffix[0] ?? ''))
  const small = ['n', 'u', 'm'].indexOf(suffix)
  return small === -1 ? value * 1000 ** STEPS.indexOf(suffix) : value / 1000 ** (3 - small)
}

/** Invalid quantities, and requests above their limit. */
export function quantityFaults(objects: readonly Manifest[]): Fault[] {
  const faults: Fault[] = []
  const check = (object: Manifest, where: string, quantity: string | number | undefined) => {
    if (quantity !== undefined && toNumber(quantity) === undefined)
      faults.push({ object: nameOf(object), what: `${where}: "${quantity}" is no quantity` })
  }
  for (const { object, template } of workloads(objects)) {
    const containers = [...(template.spec?.containers ?? []), ...(template.spec?.initContainers ?? [])]
    for (const { name, resources } of containers) {
      for (const side of ['requests', 'limits'] as const) {
        for (const [what, quantity] of Object.entries(resources?.[side] ?? {}))
          check(object, `${name} ${side} ${what}`, quantity)
      }
      for (const [what, requested] of Object.entries(resources?.requests ?? {})) {
        const limit = resources?.limits?.[what]
        if (limit !== undefined && (toNumber(requested) ?? 0) > (toNumber(limit) ?? 0))
          faults.push({ object: nameOf(object), what: `${name} requests more ${what} than its limit` })
      }
    }
    for (const volume of template.spec?.volumes ?? [])
      check(object, `volume ${volume.name}`, volume.emptyDir?.sizeLimit)
  }
  for (const set of ofKind(objects, 'StatefulSet')) {
    for (const claim of set.spec?.volumeClaimTemplates ?? [])
      check(set, `claim ${claim.metadata?.name}`, claim.spec?.resources?.requests?.storage)
  }
  for (const scaler of ofKind(objects, 'HorizontalPodAutoscaler')) {
    for (const metric of scaler.spec?.metrics ?? [])
      check(scaler, `metric ${metric.type}`, metric.pods?.target.averageValue)
  }
  return faults
}
