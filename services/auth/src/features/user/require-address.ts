import { AccountError } from '../../account-error.ts'
import type { UserRow } from './user-repository.ts'

/** Whether the account was created by an anonymous sign-in and has no email yet. */
export const isAnonymous = ({ email }: Pick<UserRow, 'email'>): boolean => email === null

/** Errors: `email_not_confirmed` for an anonymous user and for an email that is not confirmed. */
export function requireConfirmedAddress(user: Pick<UserRow, 'email' | 'emailConfirmedAt'>): void {
  requireAddress(user)
  if (user.emailConfirmedAt === null) throw new AccountError('email_not_confirmed', 'Email not confirmed')
}

/** The user's email. Errors: `email_not_confirmed` for an anonymous user, who has none. */
export function requireAddress({ email }: Pick<UserRow, 'email'>): string {
  if (email === null) {
    throw new AccountError(
      'email_not_confirmed',
      'Create an account to do this: add an email address and confirm it.',
    )
  }
  return email
}
