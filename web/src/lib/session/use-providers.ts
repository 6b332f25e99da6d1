import useSWR from 'swr'
import { api } from '../clients.ts'

/** An OpenID provider that the station offers. */
export interface OpenIdProvider {
  id: string
  name: string
}

interface SignInSettings {
  oidc_providers: OpenIdProvider[]
  external: { anonymous_users: boolean }
}

const useSignInSettings = (): SignInSettings | undefined =>
  useSWR('/auth/v1/settings', (path: string) => api.get<SignInSettings>(path, { anonymous: true })).data

/** The providers in the order of their buttons; none while they are unknown. */
export const useProviders = (): OpenIdProvider[] => useSignInSettings()?.oidc_providers ?? []

/** Whether the station offers sign-ins without an account; false while it is unknown. */
export const useOffersAnonymous = (): boolean => useSignInSettings()?.external.anonymous_users ?? false
