import { hasValidator, moduleOf } from './kinds.ts'
import { type Fault, type Manifest, nameOf } from './manifest.ts'

type Model = new (object: unknown) => { validate(): void }

/** kubectl folds long base64 values; an API server ignores the line breaks, the schema does not. */
function withUnfoldedSecrets(object: Manifest & { data?: Record<string, string> }): Manifest {
  if (object.kind !== 'Secret' || object.data === undefined) return object
  const values = Object.entries(object.data).map(([name, value]) => [name, value.replaceAll('\n', '')])
  return { ...object, data: Object.fromEntries(values) } as Manifest
}

/** Values that the schema of their field refuses although the type is right: fractions, patterns, ranges. */
export async function valueFaults(objects: readonly Manifest[]): Promise<Fault[]> {
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
