import {
  type AuthError,
  type GoTrueClient,
  isAuthImplicitGrantRedirectError,
  type Provider,
  type UserIdentity,
} from '@supabase/auth-js'
import { paths } from '../paths.ts'
import { SignInError } from './sign-in-error.ts'

/** An account at a provider that is linked to the user's account. */
export type LinkedAccount = Pick<UserIdentity, 'identity_id' | 'provider' | 'created_at'> & { email?: string }

/** The part of the auth client for OpenID providers. The browser leaves the app and returns to `paths.callback()`. */
export function createProviderMethods(
  client: GoTrueClient,
  origin: string,
  refuse: (error: AuthError | null) => void,
) {
  return {
    /** Opens the provider's sign-in page; `next` is the page that opens after the sign-in. */
    signInWithProvider: async (id: string, next: string): Promise<void> => {
      const redirectTo = origin + paths.callback({ next })
      const { error } = await client.signInWithOAuth({ provider: id as Provider, options: { redirectTo } })
      refuse(error)
    },
    /** Opens the provider's page to link an account there to the signed-in user's. */
    linkProvider: async (id: string): Promise<void> => {
      const redirectTo = origin + paths.callback({ linked: id })
      const { error } = await client.linkIdentity({ provider: id as Provider, options: { redirectTo } })
      refuse(error)
    },
    /** Completes the sign-in or linking that the page's URL is for. Returns false if another browser began it. */
    finishProvider: async (): Promise<boolean> => {
      // The library exchanges the code in the URL when it starts.
      const { error } = await client.initialize()
      if (error && isAuthImplicitGrantRedirectError(error)) throw problemOfAddress(error)
      refuse(error)
      return (await client.getSession()).data.session !== null
    },
    /** Oldest first. */
    listLinkedAccounts: async (): Promise<LinkedAccount[]> => {
      const { data, error } = await client.getUserIdentities()
      refuse(error)
      const identities = data?.identities ?? []
      return identities
        .filter(({ provider }) => provider !== 'email')
        .map(({ identity_data, ...identity }) => ({ ...identity, email: identity_data?.email }))
    },
    unlinkAccount: async (account: LinkedAccount): Promise<void> => {
      refuse((await client.unlinkIdentity(account as UserIdentity)).error)
    },
  }
}

/** Texts for the error codes in the URL. The text in the URL is not shown, because anyone can create such a link. */
const PROBLEMS: Record<string, string> = {
  bad_oauth_callback: 'The sign-in was refused or cancelled. Please try again.',
  bad_oauth_state: 'That took too long, or this page was opened twice. Please try again.',
  request_timeout: 'The sign-in service is not responding. Please try again later, or sign in another way.',
  over_request_rate_limit: 'Too many attempts. Please try again in a few minutes.',
}

function problemOfAddress(error: AuthError & { details?: { code: string } | null }): SignInError {
  const code = error.details?.code ?? 'unexpected'
  return new SignInError(code, PROBLEMS[code] ?? 'The sign-in failed. Please try again.', error)
}
