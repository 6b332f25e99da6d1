import { PageQuery } from '../../common.ts'
import { AccountExport } from '../../http/exports.ts'
import {
  CreatedPersonalToken,
  CreatePersonalTokenBody,
  PersonalTokenList,
  PersonalTokenParams,
} from '../../http/personal-tokens.ts'
import {
  AVATAR_MAX_BYTES,
  AvatarParams,
  DeleteMeBody,
  HandleCheck,
  HandleParams,
  IsAdmin,
  ListProfilesQuery,
  LookUpProfilesQuery,
  Me,
  Profile,
  ProfileLookUp,
  ProfilePage,
  SessionList,
  SessionParams,
  SignInPage,
  UpdateProfileBody,
  UserParams,
} from '../../http/users.ts'
import { file, operation } from '../../operation.ts'
import { PICTURE_TYPES } from '../../pictures.ts'

export const authMeIsAdmin = operation({
  name: 'auth.me.is_admin',
  summary: 'Check whether the caller is an admin',
  call: 'GET /api/me/is-admin',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  output: { 200: IsAdmin },
})

export const authMeRead = operation({
  name: 'auth.me.read',
  summary: "Get the caller's profile, role and restrictions",
  call: 'GET /api/me',
  audience: 'user',
  token: 'read',
  anonymous: 'allowed',
  proof: 'none',
  output: { 200: Me },
})

export const authMeDelete = operation({
  name: 'auth.me.delete',
  summary: "Delete the caller's account",
  call: 'DELETE /api/me',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  proof: 'none',
  input: { body: DeleteMeBody },
  output: { 204: null },
})

export const authProfileRead = operation({
  name: 'auth.profile.read',
  summary: 'Get a profile',
  call: 'GET /api/profiles/:id',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: UserParams },
  output: { 200: Profile },
})

export const authProfileReadByHandle = operation({
  name: 'auth.profile.read_by_handle',
  summary: 'Get a profile by handle',
  call: 'GET /api/profiles/by-handle/:handle',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: HandleParams },
  output: { 200: Profile },
})

export const authProfileList = operation({
  name: 'auth.profile.list',
  summary: 'List profiles',
  call: 'GET /api/profiles',
  audience: 'user',
  token: 'read',
  anonymous: 'allowed',
  proof: 'none',
  input: { query: ListProfilesQuery },
  output: { 200: ProfilePage },
})

export const authProfileLookUp = operation({
  name: 'auth.profile.look_up',
  summary: 'Get several profiles by id',
  call: 'GET /api/profiles/lookup',
  audience: 'user',
  token: 'read',
  anonymous: 'allowed',
  proof: 'none',
  input: { query: LookUpProfilesQuery },
  output: { 200: ProfileLookUp },
})

export const authProfileUpdate = operation({
  name: 'auth.profile.update',
  summary: "Change the caller's profile",
  call: 'PATCH /api/profiles/:id',
  audience: 'user',
  token: 'session-only',
  anonymous: { purpose: 'change your profile' },
  proof: 'none',
  input: { params: UserParams, body: UpdateProfileBody },
  output: { 200: Profile },
})

export const authAvatarRead = operation({
  name: 'auth.avatar.read',
  summary: 'Get a profile picture',
  call: 'GET /api/profiles/:id/avatar/:version',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: AvatarParams },
  output: { 200: file(...PICTURE_TYPES) },
})

export const authAvatarPut = operation({
  name: 'auth.avatar.put',
  summary: "Replace the caller's profile picture",
  call: 'PUT /api/me/avatar',
  audience: 'user',
  token: 'session-only',
  anonymous: { purpose: 'change your picture' },
  proof: 'none',
  bodyBytes: AVATAR_MAX_BYTES,
  consumes: PICTURE_TYPES,
  output: { 200: Profile },
})

export const authAvatarDelete = operation({
  name: 'auth.avatar.delete',
  summary: "Delete the caller's profile picture",
  call: 'DELETE /api/me/avatar',
  audience: 'user',
  token: 'session-only',
  anonymous: { purpose: 'change your picture' },
  proof: 'none',
  output: { 200: Profile },
})

export const authEmailChangeCancel = operation({
  name: 'auth.email_change.cancel',
  summary: 'Cancel a change of email address',
  call: 'DELETE /api/me/email-change',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  proof: 'none',
  output: { 204: null },
})

export const authSessionList = operation({
  name: 'auth.session.list',
  summary: "List the caller's sessions",
  call: 'GET /api/me/sessions',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  proof: 'none',
  output: { 200: SessionList },
})

export const authSessionEnd = operation({
  name: 'auth.session.end',
  summary: "End one of the caller's sessions",
  call: 'DELETE /api/me/sessions/:sessionId',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  proof: 'none',
  input: { params: SessionParams },
  output: { 204: null },
})

export const authSignInList = operation({
  name: 'auth.sign_in.list',
  summary: "List the caller's sign-ins of the last 90 days",
  call: 'GET /api/me/sign-ins',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  proof: 'none',
  input: { query: PageQuery },
  output: { 200: SignInPage },
})

export const authPersonalTokenList = operation({
  name: 'auth.personal_token.list',
  summary: "List the caller's personal access tokens",
  call: 'GET /api/me/tokens',
  audience: 'user',
  token: 'session-only',
  anonymous: { purpose: 'create access tokens' },
  proof: 'none',
  output: { 200: PersonalTokenList },
})

export const authPersonalTokenCreate = operation({
  name: 'auth.personal_token.create',
  summary: 'Create a personal access token',
  call: 'POST /api/me/tokens',
  audience: 'user',
  token: 'session-only',
  anonymous: { purpose: 'create access tokens' },
  proof: 'fresh-factor',
  input: { body: CreatePersonalTokenBody },
  output: { 201: CreatedPersonalToken },
})

export const authPersonalTokenRevoke = operation({
  name: 'auth.personal_token.revoke',
  summary: "Revoke one of the caller's personal access tokens",
  call: 'DELETE /api/me/tokens/:tokenId',
  audience: 'user',
  token: 'session-only',
  anonymous: { purpose: 'create access tokens' },
  proof: 'none',
  input: { params: PersonalTokenParams },
  output: { 204: null },
})

export const authPersonalTokenRevokeAll = operation({
  name: 'auth.personal_token.revoke_all',
  summary: "Revoke all of the caller's personal access tokens",
  call: 'DELETE /api/me/tokens',
  audience: 'user',
  token: 'session-only',
  anonymous: { purpose: 'create access tokens' },
  proof: 'none',
  output: { 204: null },
})

export const authAccountExport = operation({
  name: 'auth.account.export',
  summary: "Export what is stored about the caller's account",
  call: 'GET /api/export/account',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  proof: 'fresh-factor',
  perMinute: 60,
  output: { 200: AccountExport },
})

/** Whether the user may take this handle. Their own handle is available. */
export const authHandleCheck = operation({
  name: 'auth.handle.check',
  summary: 'Check whether a handle is available',
  call: 'GET /api/profiles/handles/:handle',
  audience: 'user',
  token: 'read',
  anonymous: 'allowed',
  proof: 'none',
  input: { params: HandleParams },
  output: { 200: HandleCheck },
})
