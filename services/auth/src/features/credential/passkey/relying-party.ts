import { isIP } from 'node:net'
import { AccountError } from '../../../account-error.ts'

/** The station as a WebAuthn relying party. Passkeys belong to its id and work at its origins only. */
export interface RelyingParty {
  /** The RP ID: a domain. */
  id: string
  name: string
  origins: readonly string[]
}

interface RelyingPartySettings {
  siteUrl: string
  /** Domain above the host name of `siteUrl`, as RP ID. Empty: the host name. */
  rpId: string
  /** Origins in addition to that of `siteUrl`. */
  origins: readonly string[]
  brandName: string
}

/**
 * The relying party of the settings; undefined when the site's address is an IP address, for which browsers create no
 * passkeys. Throws an Error for an origin outside the RP ID's domain.
 */
export function relyingPartyOf(settings: RelyingPartySettings): RelyingParty | undefined {
  const site = new URL(settings.siteUrl)
  const id = settings.rpId === '' ? site.hostname : settings.rpId
  if (isIP(id.replace(/^\[|\]$/g, '')) !== 0) return undefined
  const origins = [site, ...settings.origins.map((origin) => new URL(origin))]
  const foreign = origins.find(({ hostname }) => hostname !== id && !hostname.endsWith(`.${id}`))
  if (foreign !== undefined) throw new Error(`${foreign.hostname} is not in the domain ${id}`)
  return { id, name: settings.brandName, origins: origins.map(({ origin }) => origin) }
}

/** Errors: `passkey_disabled` when the station's address has no domain. */
export function requireParty(party: RelyingParty | undefined): RelyingParty {
  if (party !== undefined) return party
  throw new AccountError(
    'passkey_disabled',
    'Passkeys need a domain name: this station has only an IP address',
  )
}
