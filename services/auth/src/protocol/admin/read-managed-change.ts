import { Role } from '@looptide/contracts/common'
import type { AdminUserBody } from '@looptide/contracts/http/auth-admin'
import { Check } from 'typebox/value'
import type { ManagedChange } from '../../features/operator/administration-service.ts'
import { readBanDuration } from '../../features/operator/ban-duration.ts'
import { readEmail } from '../../features/user/email.ts'
import { AuthError } from '../auth-error.ts'
import { readMetadata } from '../read-body.ts'

/** Fields of the protocol that the station does not support. */
const NOT_OFFERED = ['id', 'password_hash'] as const
const AUDIENCE = 'authenticated'
/** Keys of `app_metadata` that the station sets. Clients that read them before send them back: they are ignored. */
const FIXED_METADATA = ['provider', 'providers', 'role']

/** Reads what to set of an account. Errors: `validation_failed`, `phone_provider_disabled`. */
export function readManagedChange(body: AdminUserBody): ManagedChange {
  if (isGiven(body.phone) || body.phone_confirm === true) {
    throw new AuthError('phone_provider_disabled', 'Phone logins are disabled')
  }
  for (const name of NOT_OFFERED) {
    if (isGiven(body[name])) throw AuthError.validation(`${name} is not supported`)
  }
  if (isGiven(body.role) && body.role !== AUDIENCE) {
    throw AuthError.validation(`role is always ${AUDIENCE}; the station role is app_metadata.role`)
  }
  return {
    email: isGiven(body.email) ? readEmail(body.email) : null,
    password: isGiven(body.password) ? body.password : null,
    confirmEmail: body.email_confirm === true,
    userMetadata: readMetadata(body.user_metadata),
    appMetadata: readAppMetadata(body.app_metadata),
    role: readRole(body.app_metadata?.role),
    banMs: readBan(body.ban_duration),
  }
}

const isGiven = <T>(value: T): value is NonNullable<T> =>
  value !== undefined && value !== null && value !== ''

const readAppMetadata = (given: AdminUserBody['app_metadata']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(readMetadata(given)).filter(([name]) => !FIXED_METADATA.includes(name)))

function readRole(role: unknown): Role | null {
  if (role === undefined || role === null) return null
  if (!Check(Role, role)) throw AuthError.validation('app_metadata.role is not a role of the station')
  return role
}

function readBan(text: string | null | undefined): number | null {
  if (!isGiven(text)) return null
  const ms = readBanDuration(text)
  if (ms === undefined) throw AuthError.validation('invalid format for ban duration')
  return ms
}
