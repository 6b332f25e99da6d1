import { useCall } from '../api/use-call.ts'

/** An OpenID provider that the station offers. */
export interface OpenIdProvider {
  id: string
  name: string
}

const useSignInSettings = () => useCall('GET /auth/v1/settings', {}, { anonymous: true }).data

/** The providers in the order of their buttons; none while they are unknown. */
export const useProviders = (): OpenIdProvider[] => useSignInSettings()?.oidc_providers ?? []

/** Whether the station offers sign-ins without an account; false while it is unknown. */
export const useOffersAnonymous = (): boolean => useSignInSettings()?.external.anonymous_users ?? false
