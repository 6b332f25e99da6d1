import { hasValidator, moduleOf } from './kinds.ts'
import { type Fault, type Manifest, nameOf } from './manifest.ts'
import { nameFaults } from './name-faults.ts'
import { quantityFaults } from './quantity-faults.ts'
import { referenceFaults } from './reference-faults.ts'
import { structureFaults } from './structure-faults.ts'

/** Contradictions to the schema of a kind. */
export async function schemaFaults(objects: readonly Manifest[]): Promise<Fault[]> {
  return [...versionFaults(objects), ...structureFaults(objects), ...(await valueFaults(objects))]
}

/**
 * Faults that schemas do not cover but an API server refuses, or accepts although they are mistakes, such as a
 * service without pods.
 */
export function ruleFaults(objects: readonly Manifest[]): Fault[] {
  return [...nameFaults(objects), ...quantityFaults(objects), ...referenceFaults(objects)]
}

/**
 * Beta versions of Kubernetes' own groups: they are removed after a few releases, but the schemas keep them. Other
 * groups have a domain.
 */
function versionFaults(objects: readonly Manifest[]): Fault[] {
  return objects
    .filter(({ apiVersion }) => /^([a-z]+(\.k8s\.io)?\/)?v\d+(alpha|beta)\d+$/.test(apiVersion))
    .map((object) => ({
      object: nameOf(object),
      what: `${object.apiVersion} is a version that will be removed`,
    }))
}

type Model = new (object: unknown) => { validate(): void }

/** kubectl folds long base64 values; an API server ignores the line breaks, the schema does not. */
function withUnfoldedSecrets(object: Manifest & { data?: Record<string, string> }): Manifest {
  if (object.kind !== 'Secret' || object.data === undefined) return object
  const values = Object.entries(object.data).map(([name, value]) => [name, value.replaceAll('\n', '')])
  return { ...object, data: Object.fromEntries(values) } as Manifest
}

/** Values that the schema of their field refuses although the type is right: fractions, patterns, ranges. */
async function valueFaults(objects: readonly Manifest[]): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const object of objects.filter(hasValidator)) {
    try {
      const models = (await import(moduleOf(object))) as Record<string, Model | undefined>
      const Kind = models[object.kind]
      if (Kind === undefined) throw new Error(`There is no ${object.kind} in ${object.apiVersion}.`)
      new Kind(withUnfoldedSecrets(object)).validate()
    } catch (error) {
      faults.push({ object: nameOf(object), what: error instanceof Error ? error.message : String(error) })
    }
  }
  return faults
}
