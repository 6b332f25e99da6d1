import type { IdentityRow } from './identity-repository.ts'
import type { UserRow } from './user-repository.ts'

/**
 * The identities of an account, oldest first. The identity `email` stands for its address and password. An account that a
 * provider created has none until it gets a password.
 */
export function presentIdentities(
  user: UserRow,
  identities: readonly IdentityRow[],
): Record<string, unknown>[] {
  const linked = identities.map((row) => presentLinked(row))
  if (!hasEmailIdentity(user, identities)) return linked
  return [presentEmail(user), ...linked]
}

/**
 * The `app_metadata` of an account: the keys that the service key has set, and how the account can sign in, which is left
 * out for an anonymous user. Users cannot set it.
 */
export function appMetadataOf(user: UserRow, identities: readonly IdentityRow[]): Record<string, unknown> {
  const linked = identities.map(({ provider }) => provider)
  const providers = hasEmailIdentity(user, identities) ? ['email', ...linked] : linked
  const signIn = user.email === null ? {} : { provider: providers[0] ?? 'email', providers }
  return { ...user.appMetadata, ...signIn }
}

/** Whether the account signs in by mailed codes or a password, other than one that a provider created. */
export const hasEmailIdentity = (
  { email, passwordHash, createdAt }: UserRow,
  [oldest]: readonly IdentityRow[],
): boolean =>
  email !== null && (passwordHash !== null || oldest === undefined || oldest.createdAt > createdAt)

function presentEmail(user: UserRow): Record<string, unknown> {
  return {
    identity_id: user.id,
    id: user.id,
    user_id: user.id,
    identity_data: { sub: user.id, email: user.email, email_verified: user.emailConfirmedAt !== null },
    provider: 'email',
    last_sign_in_at: (user.lastSignInAt ?? user.createdAt).toISOString(),
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    email: user.email,
  }
}

function presentLinked(row: IdentityRow): Record<string, unknown> {
  const { id, userId, provider, issuer, subject, email, createdAt, lastSignInAt } = row
  return {
    identity_id: id,
    id: subject,
    user_id: userId,
    identity_data: { iss: issuer, sub: subject, ...(email === null ? {} : { email }) },
    provider,
    last_sign_in_at: (lastSignInAt ?? createdAt).toISOString(),
    created_at: createdAt.toISOString(),
    updated_at: (lastSignInAt ?? createdAt).toISOString(),
    ...(email === null ? {} : { email }),
  }
}
