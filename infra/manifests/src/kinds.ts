import { fileURLToPath } from 'node:url'

const packages: Record<string, string> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
}

/** Kinds that no package describes, by our own files. */
const own: Record<string, string> = {
  'cert-manager.io/v1/Certificate': fileURLToPath(new URL('certificate.ts', import.meta.url)),
  'cert-manager.io/v1/Issuer': fileURLToPath(new URL('issuer.ts', import.meta.url)),
  'barmancloud.cnpg.io/v1/ObjectStore': fileURLToPath(new URL('object-store.ts', import.meta.url)),
}

/** The module that describes a kind as `I<Kind>`: of its group, or of Kubernetes. It may not exist. */
export function moduleOf({ apiVersion, kind }: { apiVersion: string; kind: string }): string {
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : ''
  const path = `${apiVersion}/${kind}`
  return own[path] ?? `${packages[group] ?? 'kubernetes-models'}/${path}`
}

/** Whether the module has a validator: only those of packages do. */
export const hasValidator = (object: { apiVersion: string; kind: string }): boolean =>
  own[`${object.apiVersion}/${object.kind}`] === undefined
