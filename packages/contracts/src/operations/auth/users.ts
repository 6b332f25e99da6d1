import { ExchangedToken, ExchangeTokenBody } from '../../http/personal-tokens.ts'
import { AccountSummary } from '../../http/requests.ts'
import {
  AccessSnapshot,
  AddRestrictionBody,
  AdminUser,
  AdminUserPage,
  EndAllSessionsBody,
  EndedSessions,
  ListProfilesQuery,
  Restriction,
  RestrictionParams,
  SetRoleBody,
  UserParams,
} from '../../http/users.ts'
import { operation } from '../../operation.ts'

export const authUserRestrict = operation({
  name: 'auth.user.restrict',
  summary: 'Restrict a user',
  call: 'POST /api/users/:id/restrictions',
  audience: 'chat:moderate',
  token: 'session-only',
  proof: 'none',
  input: { params: UserParams, body: AddRestrictionBody },
  output: { 201: Restriction },
})

export const authUserUnrestrict = operation({
  name: 'auth.user.unrestrict',
  summary: 'Remove a restriction',
  call: 'DELETE /api/users/:id/restrictions/:restrictionId',
  audience: 'chat:moderate',
  token: 'session-only',
  proof: 'none',
  input: { params: RestrictionParams },
  output: { 204: null },
})

export const authUserList = operation({
  name: 'auth.user.list',
  summary: 'List accounts',
  call: 'GET /api/users',
  audience: 'users:manage',
  token: 'session-only',
  proof: 'none',
  input: { query: ListProfilesQuery },
  output: { 200: AdminUserPage },
})

export const authUserSetRole = operation({
  name: 'auth.user.set_role',
  summary: 'Change the role of a user',
  call: 'PUT /api/users/:id/role',
  audience: 'users:manage',
  token: 'session-only',
  proof: 'fresh-factor',
  input: { params: UserParams, body: SetRoleBody },
  output: { 200: AdminUser },
})

export const authUserEndSessions = operation({
  name: 'auth.user.end_sessions',
  summary: 'End all sessions of a user',
  call: 'DELETE /api/users/:id/sessions',
  audience: 'users:manage',
  token: 'session-only',
  proof: 'none',
  input: { params: UserParams },
  output: { 200: EndedSessions },
})

export const authUserEndAllSessions = operation({
  name: 'auth.user.end_all_sessions',
  summary: 'End the sessions of all users',
  call: 'POST /api/users/end-sessions',
  audience: 'users:manage',
  token: 'session-only',
  proof: 'none',
  input: { body: EndAllSessionsBody },
  output: { 200: EndedSessions },
})

export const authUserResetPassword = operation({
  name: 'auth.user.reset_password',
  summary: 'Require a new password from a user and email a link to set it',
  call: 'POST /api/users/:id/password-reset',
  audience: 'users:manage',
  token: 'session-only',
  proof: 'fresh-factor',
  input: { params: UserParams },
  output: { 204: null },
})

export const authAccessRead = operation({
  name: 'auth.access.read',
  summary: 'Get what other processes need to verify tokens',
  call: 'GET /internal/access',
  audience: 'internal',
  token: 'session-only',
  output: { 200: AccessSnapshot },
})

/** For a service without the events of an account: they are kept for a week. */
export const authAccountRead = operation({
  name: 'auth.account.read',
  summary: 'Get age, name and restrictions of an account',
  call: 'GET /internal/accounts/:id',
  audience: 'internal',
  token: 'session-only',
  input: { params: UserParams },
  output: { 200: AccountSummary },
})

export const authPersonalTokenExchange = operation({
  name: 'auth.personal_token.exchange',
  summary: 'Exchange a personal access token for an access token',
  call: 'POST /internal/tokens/exchange',
  audience: 'internal',
  token: 'session-only',
  input: { body: ExchangeTokenBody },
  output: { 200: ExchangedToken },
})
