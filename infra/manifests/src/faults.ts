import { type Fault, type Manifest, nameOf } from './manifest.ts'
import { nameFaults } from './name-faults.ts'
import { quantityFaults } from './quantity-faults.ts'
import { referenceFaults } from './reference-faults.ts'
import { structureFaults } from './structure-faults.ts'
import { valueFaults } from './value-faults.ts'

/** What contradicts the schema of its kind. */
export async function schemaFaults(objects: readonly Manifest[]): Promise<Fault[]> {
  return [...versionFaults(objects), ...structureFaults(objects), ...(await valueFaults(objects))]
}

/** What the schemas do not say and an API server refuses all the same, or takes and nobody means: a service of nothing. */
export function ruleFaults(objects: readonly Manifest[]): Fault[] {
  return [...nameFaults(objects), ...quantityFaults(objects), ...referenceFaults(objects)]
}

/**
 * Betas of Kubernetes' own groups: they go after a few releases, and the schemas keep them. A group of others has a
 * domain of theirs.
 */
function versionFaults(objects: readonly Manifest[]): Fault[] {
  return objects
    .filter(({ apiVersion }) => /^([a-z]+(\.k8s\.io)?\/)?v\d+(alpha|beta)\d+$/.test(apiVersion))
    .map((object) => ({ object: nameOf(object), what: `${object.apiVersion} is no version to stay` }))
}
