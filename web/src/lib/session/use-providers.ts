import useSWR from 'swr'
import { api } from '../clients.ts'

/** An OpenID provider that the station offers. */
export interface OpenIdProvider {
  id: string
  name: string
}

/** The providers in the order of their buttons; none while they are unknown. */
export function useProviders(): OpenIdProvider[] {
  const { data } = useSWR('/auth/v1/settings', (path: string) =>
    api.get<{ oidc_providers: OpenIdProvider[] }>(path, { anonymous: true }),
  )
  return data?.oidc_providers ?? []
}
