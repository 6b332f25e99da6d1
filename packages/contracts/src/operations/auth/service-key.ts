import { Type } from 'typebox'
import { RedirectQuery } from '../../http/auth.ts'
import {
  AdminDeleteBody,
  AdminListQuery,
  AdminUserBody,
  GenerateLinkBody,
  InviteBody,
  ManagedFactorParams,
  ManagedPasskeyParams,
} from '../../http/auth-admin.ts'
import { Empty } from '../../http/auth-responses.ts'
import { UserParams } from '../../http/users.ts'
import { operation } from '../../operation.ts'

export const authAdminUserList = operation({
  name: 'auth.admin.user.list',
  summary: 'List accounts with the service key',
  call: 'GET /auth/v1/admin/users',
  audience: 'service-key',
  token: 'session-only',
  input: { query: AdminListQuery },
  output: { 200: Type.Unknown() },
})

export const authAdminUserRead = operation({
  name: 'auth.admin.user.read',
  summary: 'Get an account with the service key',
  call: 'GET /auth/v1/admin/users/:id',
  audience: 'service-key',
  token: 'session-only',
  input: { params: UserParams },
  output: { 200: Type.Unknown() },
})

export const authAdminUserCreate = operation({
  name: 'auth.admin.user.create',
  summary: 'Create an account with the service key',
  call: 'POST /auth/v1/admin/users',
  audience: 'service-key',
  token: 'session-only',
  input: { body: AdminUserBody },
  output: { 200: Type.Unknown() },
})

export const authAdminUserUpdate = operation({
  name: 'auth.admin.user.update',
  summary: 'Change an account with the service key',
  call: 'PUT /auth/v1/admin/users/:id',
  audience: 'service-key',
  token: 'session-only',
  input: { params: UserParams, body: AdminUserBody },
  output: { 200: Type.Unknown() },
})

/** A soft deletion is refused: it would keep personal data that its owner cannot reach. */
export const authAdminUserDelete = operation({
  name: 'auth.admin.user.delete',
  summary: 'Delete an account with the service key',
  call: 'DELETE /auth/v1/admin/users/:id',
  audience: 'service-key',
  token: 'session-only',
  input: { params: UserParams, body: AdminDeleteBody },
  output: { 200: Empty },
})

export const authAdminFactorList = operation({
  name: 'auth.admin.factor.list',
  summary: 'List the second factors of an account with the service key',
  call: 'GET /auth/v1/admin/users/:id/factors',
  audience: 'service-key',
  token: 'session-only',
  input: { params: UserParams },
  output: { 200: Type.Unknown() },
})

export const authAdminFactorDelete = operation({
  name: 'auth.admin.factor.delete',
  summary: 'Remove a second factor of an account with the service key',
  call: 'DELETE /auth/v1/admin/users/:id/factors/:factorId',
  audience: 'service-key',
  token: 'session-only',
  input: { params: ManagedFactorParams },
  output: { 200: Type.Unknown() },
})

export const authAdminPasskeyList = operation({
  name: 'auth.admin.passkey.list',
  summary: 'List the passkeys of an account with the service key',
  call: 'GET /auth/v1/admin/users/:id/passkeys',
  audience: 'service-key',
  token: 'session-only',
  input: { params: UserParams },
  output: { 200: Type.Unknown() },
})

export const authAdminPasskeyDelete = operation({
  name: 'auth.admin.passkey.delete',
  summary: 'Remove a passkey of an account with the service key',
  call: 'DELETE /auth/v1/admin/users/:id/passkeys/:passkeyId',
  audience: 'service-key',
  token: 'session-only',
  input: { params: ManagedPasskeyParams },
  output: { 204: null },
})

export const authAdminUserInvite = operation({
  name: 'auth.admin.user.invite',
  summary: 'Invite a user by email with the service key',
  call: 'POST /auth/v1/invite',
  audience: 'service-key',
  token: 'session-only',
  input: { query: RedirectQuery, body: InviteBody },
  output: { 200: Type.Unknown() },
})

export const authAdminLinkGenerate = operation({
  name: 'auth.admin.link.generate',
  summary: 'Create a sign-in link with the service key, without mailing it',
  call: 'POST /auth/v1/admin/generate_link',
  audience: 'service-key',
  token: 'session-only',
  input: { query: RedirectQuery, body: GenerateLinkBody },
  output: { 200: Type.Unknown() },
})
