import { Uuid } from '@looptide/contracts/common'
import type { AccountExport } from '@looptide/contracts/http/exports'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Db } from '@looptide/service-kit/db/db'
import type { Kysely } from 'kysely'
import { Check } from 'typebox/value'
import type { Database } from '../../db/schema.ts'
import * as passkeyRepository from '../credential/passkey/passkey-repository.ts'
import { presentPersonalToken } from '../credential/token/present-personal-token.ts'
import * as avatarRepository from '../profile/avatar-repository.ts'
import { presentProfile } from '../profile/new-profile.ts'
import * as profileRepository from '../profile/profile-repository.ts'
import * as personalTokenRepository from '../session/personal-token-repository.ts'
import * as sessionRepository from '../session/session-repository.ts'
import * as signInRepository from '../session/sign-in-repository.ts'
import * as factorRepository from '../user/factor-repository.ts'
import * as identityRepository from '../user/identity-repository.ts'
import * as restrictionRepository from '../user/restriction-repository.ts'
import { findRole } from '../user/role-repository.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'

const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null

/** Everything that auth keeps about a user, without secrets and digests. Undefined without the account. */
export async function collectAccount(db: Db<Database>, userId: string): Promise<AccountExport | undefined> {
  const [user, profile] = await Promise.all([
    userRepository.byId(db, userId),
    profileRepository.byId(db, userId),
  ])
  if (user === undefined || profile === undefined) return undefined
  return {
    ...presentAccount(user),
    profile: presentProfile(profile),
    ...(await roleAndRestrictionsOf(db, userId)),
    ...(await credentialsOf(db, userId)),
    ...(await signInsOf(db, userId)),
  }
}

const presentAccount = (user: UserRow) => ({
  id: user.id,
  email: user.email,
  newEmail: user.newEmail,
  emailConfirmedAt: timeOf(user.emailConfirmedAt),
  createdAt: user.createdAt.toISOString(),
  lastSignInAt: timeOf(user.lastSignInAt),
  hasPassword: user.passwordHash !== null,
  metadata: user.userMetadata,
  appMetadata: user.appMetadata,
})

/** Picture, role and restrictions. Who set a restriction is not the user's data. */
async function roleAndRestrictionsOf(db: Db<Database>, userId: string) {
  const picture = await avatarRepository.of(db, userId)
  const restrictions = await restrictionRepository.allOf(db, userId)
  return {
    picture:
      picture === undefined
        ? null
        : { contentType: picture.contentType, base64: picture.bytes.toString('base64') },
    role: await findRole(db, userId),
    restrictions: restrictions.map(({ restrictionType, reason, createdAt, expiresAt }) => ({
      restrictionType,
      reason,
      createdAt: createdAt.toISOString(),
      expiresAt: timeOf(expiresAt),
    })),
  }
}

/** Sessions and what signs in, by name and time. */
async function credentialsOf(db: Db<Database>, userId: string) {
  const [sessions, factors, passkeys, tokens] = await Promise.all([
    sessionRepository.listOf(db, userId),
    factorRepository.listOf(db, userId),
    passkeyRepository.listOf(db, userId),
    personalTokenRepository.listOf(db, userId),
  ])
  return {
    sessions: sessions.map(({ createdAt, refreshedAt, method, deviceName, userAgent, ip }) => ({
      createdAt: createdAt.toISOString(),
      refreshedAt: refreshedAt.toISOString(),
      method,
      deviceName,
      userAgent,
      ip,
    })),
    factors: factors.map(({ factorType, friendlyName, createdAt }) => ({
      type: factorType,
      name: friendlyName,
      createdAt: createdAt.toISOString(),
    })),
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt }) => ({
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: timeOf(lastUsedAt),
    })),
    accessTokens: tokens.map(presentPersonalToken),
  }
}

/** Linked accounts, and the history of sign-ins, newest first. */
async function signInsOf(db: Db<Database>, userId: string) {
  const identities = await identityRepository.listOf(db, userId)
  const signIns = await signInRepository.allOf(db, userId)
  return {
    identities: identities.map(({ provider, issuer, subject, email, createdAt, lastSignInAt }) => ({
      provider,
      issuer,
      subject,
      email,
      createdAt: createdAt.toISOString(),
      lastSignInAt: timeOf(lastSignInAt),
    })),
    signIns: signIns.map(({ createdAt, method, succeeded, device, network }) => ({
      createdAt: createdAt.toISOString(),
      method,
      succeeded,
      device,
      network,
    })),
  }
}

/**
 * The account of a person, by id or email, for an operator's response to a request for personal data. An audit entry is
 * written before the data is returned. Undefined without the account.
 */
export async function exportForOperator(
  db: Kysely<Database>,
  person: string,
): Promise<AccountExport | undefined> {
  const isId: boolean = Check(Uuid, person)
  const user = await (isId
    ? userRepository.byId(db, person)
    : userRepository.byEmail(db, person.toLowerCase()))
  if (user === undefined) return undefined
  const facts = {
    action: 'user.data.export',
    targetType: 'user',
    targetId: user.id,
    targetUserId: user.id,
  } as const
  await db
    .transaction()
    .execute((trx) => appendAudit(trx, 'auth.audit.recorded.v1', facts, { by: 'command line' }))
  return collectAccount(db, user.id)
}
