import type { AuthorizeQuery } from '@looptide/contracts/http/auth'
import type { RedirectPolicy } from '../../../features/codes/redirect-policy.ts'
import type { FlowStart, ProviderFlows } from '../../../features/identities/provider-flows.ts'
import { AuthError } from '../../auth-error.ts'
import { readPkce } from '../../read-body.ts'

/** Reads the request of an app to start a flow. Throws `validation_failed` for an unknown provider and without PKCE. */
export function readFlowStart(
  query: AuthorizeQuery,
  { providerFlows, redirects }: { providerFlows: ProviderFlows; redirects: RedirectPolicy },
): Omit<FlowStart, 'session'> {
  const providerId = query.provider ?? ''
  providerFlows.provider(providerId)
  const challenge = readPkce(query)
  if (challenge === null) throw AuthError.validation('Providers require the PKCE flow')
  return { providerId, challenge, redirectTo: redirects.resolve(query.redirect_to) }
}
