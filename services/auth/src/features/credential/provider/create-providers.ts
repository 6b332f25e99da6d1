import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { IdentityService } from './identity-service.ts'
import { ProviderClient } from './provider-client.ts'
import { ProviderFlows } from './provider-flows.ts'
import type { ProviderSettings } from './provider-settings.ts'
import { ProviderSignIn } from './provider-sign-in.ts'

type FlowsDeps = Omit<ConstructorParameters<typeof ProviderFlows>[0], 'providers'>
type SignInDeps = Omit<ConstructorParameters<typeof ProviderSignIn>[0], 'flows'>

interface ProviderDeps extends FlowsDeps, SignInDeps {
  oidcProviders: readonly ProviderSettings[]
  siteUrl: string
  logger: Logger
}

/** Creates the services for sign-ins at OpenID providers. */
export function createProviders({ oidcProviders, siteUrl, logger, ...deps }: ProviderDeps) {
  const redirectUri = new URL('/auth/v1/callback', siteUrl).href
  const clients = oidcProviders.map((settings): [string, ProviderClient] => [
    settings.id,
    new ProviderClient({ settings, redirectUri, logger, now: deps.now }),
  ])
  const flows = new ProviderFlows({ ...deps, providers: new Map(clients) })
  return {
    providerFlows: flows,
    providerSignIn: new ProviderSignIn({ ...deps, flows }),
    identities: new IdentityService({ ...deps, flows, providers: oidcProviders }),
  }
}
