import { type Fault, type Manifest, nameOf } from './manifest.ts'
import { nameFaults } from './name-faults.ts'
import { quantityFaults } from './quantity-faults.ts'
import { referenceFaults } from './reference-faults.ts'
import { structureFaults } from './structure-faults.ts'
import { valueFaults } from './value-faults.ts'

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
