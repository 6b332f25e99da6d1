import { OWNERS, type Owner } from '@looptide/contracts/event'
import { eventPublicKeys, generateKeyPair } from '@looptide/service-kit/events/event-keys'
import type { IContainer } from 'kubernetes-models/v1/Container'
import { type Manifest, ofKind, type Workload } from './manifest.ts'

/** One key of a secret that a pod uses. */
export interface SecretKey {
  secret: string
  key: string
  optional: boolean
}

/** Substitute for a secret's value: long enough for every rule, and valid in a URL. */
const PLACEHOLDER = 'a-secret-that-stands-in-for-another-one'

const eventKeys = Object.fromEntries(OWNERS.map((owner) => [owner, generateKeyPair().privateKey])) as Record<
  Owner,
  string
>

/** Own event-signing keys, by their names in `.env`. */
export const ownEventKeys = (): Record<string, string> => ({
  ...Object.fromEntries(
    OWNERS.map((owner) => [`EVENT_SIGNING_KEY_${owner.toUpperCase()}`, eventKeys[owner]]),
  ),
  EVENT_PUBLIC_KEYS: eventPublicKeys(eventKeys),
})

/** A valid substitute for the value of a secret's key. */
function standIn(variable: string, key: string): string {
  if (variable === 'EVENT_PUBLIC_KEYS') return eventPublicKeys(eventKeys)
  if (variable === 'OIDC_PROVIDERS') return '[]'
  if (variable === 'VAPID_PRIVATE_KEY') return Buffer.alloc(32, 7).toString('base64url')
  const owner = OWNERS.find((name) => key === `EVENT_SIGNING_KEY_${name.toUpperCase()}`)
  if (owner !== undefined) return eventKeys[owner]
  return variable.endsWith('_URL') ? 'smtp://mail.example' : PLACEHOLDER
}

/** The initial environment of a container, composed like the kubelet does. */
export function environmentOf(objects: readonly Manifest[], container: IContainer): Record<string, string> {
  const settings = (name: string | undefined): Record<string, string> => {
    const map = ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata.name === name)
    if (map === undefined) throw new Error(`There is no ConfigMap ${name}.`)
    return map.data ?? {}
  }
  const from = (container.envFrom ?? []).flatMap((source) =>
    Object.entries(settings(source.configMapRef?.name)),
  )
  // A value can refer to earlier entries of `env` only, not to those of `envFrom`.
  const named: Record<string, string> = {}
  for (const { name, value, valueFrom } of container.env ?? []) {
    if (valueFrom?.configMapKeyRef !== undefined) {
      const { name: map, key } = valueFrom.configMapKeyRef
      const text = settings(map)[key]
      if (text === undefined) throw new Error(`The ConfigMap ${map} has no ${key}.`)
      named[name] = text
    } else if (valueFrom?.secretKeyRef !== undefined) {
      named[name] = standIn(name, valueFrom.secretKeyRef.key)
    } else {
      named[name] = (value ?? '').replace(
        /\$\(([A-Z_]+)\)/g,
        (reference, other: string) => named[other] ?? reference,
      )
    }
  }
  return { ...Object.fromEntries(from), ...named }
}

/** Every secret key that a workload requires or optionally uses. */
export function secretKeysOf({ template }: Workload): SecretKey[] {
  return (template.spec?.containers ?? []).flatMap((container) =>
    (container.env ?? []).flatMap(({ valueFrom }) => {
      const reference = valueFrom?.secretKeyRef
      if (reference === undefined) return []
      return [{ secret: reference.name ?? '', key: reference.key, optional: reference.optional === true }]
    }),
  )
}
