import { OWNERS, type Owner } from '@looptide/contracts/event'
import { eventPublicKeys, generateKeyPair } from '@looptide/service-kit/events/event-keys'

/** New private keys of all owners and the list of public keys, as environment variables. */
export function newEventKeys(): Record<string, string> & { EVENT_PUBLIC_KEYS: string } {
  const keys = Object.fromEntries(OWNERS.map((owner) => [owner, generateKeyPair().privateKey])) as Record<
    Owner,
    string
  >
  const variables = OWNERS.map((owner) => [`EVENT_SIGNING_KEY_${owner.toUpperCase()}`, keys[owner]])
  return { ...Object.fromEntries(variables), EVENT_PUBLIC_KEYS: eventPublicKeys(keys) }
}
