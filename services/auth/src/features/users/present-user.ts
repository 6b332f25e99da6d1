import type { FactorRow } from '../factors/factor-repository.ts'
import { presentFactor } from '../factors/present-factor.ts'
import { APP_METADATA } from '../keys/access-tokens.ts'
import type { UserRow } from './user-repository.ts'

const iso = (date: Date): string => date.toISOString()

/** The user object of the auth protocol (docs/protocols/auth.md, "User"). Unset times and an empty list of factors are left out. */
export function presentUser(user: UserRow, factors: readonly FactorRow[] = []): Record<string, unknown> {
  const times = {
    email_confirmed_at: user.emailConfirmedAt,
    confirmed_at: user.emailConfirmedAt,
    confirmation_sent_at: user.confirmationSentAt,
    recovery_sent_at: user.recoverySentAt,
    invited_at: user.invitedAt,
    email_change_sent_at: user.emailChangeSentAt,
    last_sign_in_at: user.lastSignInAt,
  }
  const set = Object.entries(times).flatMap(([name, time]) => (time === null ? [] : [[name, iso(time)]]))
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    phone: '',
    ...Object.fromEntries(set),
    ...(user.newEmail === null ? {} : { new_email: user.newEmail }),
    app_metadata: APP_METADATA,
    user_metadata: user.userMetadata,
    identities: [presentIdentity(user)],
    ...(factors.length === 0 ? {} : { factors: factors.map(presentFactor) }),
    created_at: iso(user.createdAt),
    updated_at: iso(user.updatedAt),
    is_anonymous: false,
  }
}

function presentIdentity(user: UserRow): Record<string, unknown> {
  return {
    identity_id: user.id,
    id: user.id,
    user_id: user.id,
    identity_data: { sub: user.id, email: user.email, email_verified: user.emailConfirmedAt !== null },
    provider: 'email',
    last_sign_in_at: iso(user.lastSignInAt ?? user.createdAt),
    created_at: iso(user.createdAt),
    updated_at: iso(user.updatedAt),
    email: user.email,
  }
}
