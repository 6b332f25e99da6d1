import type { FactorRow } from './factor-repository.ts'
import type { IdentityRow } from './identity-repository.ts'
import { presentFactor } from './present-factor.ts'
import { appMetadataOf, presentIdentities } from './present-identities.ts'
import { isAnonymous } from './require-address.ts'
import type { UserRow } from './user-repository.ts'

const iso = (date: Date): string => date.toISOString()

/** Parts of the user object that are not in the user's row. New accounts have neither. */
export interface UserParts {
  factors?: readonly FactorRow[]
  /** Identities at providers, oldest first. */
  identities?: readonly IdentityRow[]
}

/** The user object of the auth protocol (docs/protocols/auth.md, "User"). Unset times and an empty list of factors are left out. */
export function presentUser(
  user: UserRow,
  { factors = [], identities = [] }: UserParts = {},
): Record<string, unknown> {
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
    email: user.email ?? '',
    phone: '',
    ...Object.fromEntries(set),
    ...(user.newEmail === null ? {} : { new_email: user.newEmail }),
    app_metadata: appMetadataOf(user, identities),
    user_metadata: user.userMetadata,
    identities: presentIdentities(user, identities),
    ...(factors.length === 0 ? {} : { factors: factors.map(presentFactor) }),
    created_at: iso(user.createdAt),
    updated_at: iso(user.updatedAt),
    is_anonymous: isAnonymous(user),
  }
}
