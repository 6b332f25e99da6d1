import { hasValidator, moduleOf } from './kinds.ts'
import { type Fault, type Manifest, nameOf } from './manifest.ts'

type Model = new (object: unknown) => { validate(): void }

/** Values that their field's schema does not take though the type is right: fractions, patterns, ranges. */
export async function valueFaults(objects: readonly Manifest[]): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const object of objects.filter(hasValidator)) {
    try {
      const models = (await import(moduleOf(object))) as Record<string, Model | undefined>
      const Kind = models[object.kind]
      if (Kind === undefined) throw new Error(`There is no ${object.kind} in ${object.apiVersion}.`)
      new Kind(object).validate()
    } catch (error) {
      faults.push({ object: nameOf(object), what: error instanceof Error ? error.message : String(error) })
    }
  }
  return faults
}
