import { Type } from 'typebox'
import {
  AuthorizeQuery,
  EnrollFactorBody,
  FactorParams,
  IdentityParams,
  RecoveryCodesBody,
  VerifyFactorBody,
  VerifyRecoveryCodeBody,
} from '../../http/auth.ts'
import {
  AuthSession,
  Empty,
  EnrolledApp,
  EnrolledKey,
  FactorChallenge,
  FactorId,
  NewRecoveryCodes,
  Passkey,
  PasskeyCeremony,
  RecoveryCodesStatus,
} from '../../http/auth-responses.ts'
import {
  PasskeyParams,
  RenamePasskeyBody,
  VerifyAuthenticationBody,
  VerifyRegistrationBody,
} from '../../http/passkeys.ts'
import { operation } from '../../operation.ts'

export const authPasskeyAuthenticationOptions = operation({
  name: 'auth.passkey.authentication_options',
  summary: 'Start a sign-in with a passkey',
  call: 'POST /auth/v1/passkeys/authentication/options',
  audience: 'anyone',
  token: 'session-only',
  output: { 200: PasskeyCeremony },
})

export const authPasskeyAuthenticate = operation({
  name: 'auth.passkey.authenticate',
  summary: 'Sign in with a passkey',
  call: 'POST /auth/v1/passkeys/authentication/verify',
  audience: 'anyone',
  token: 'session-only',
  input: { body: VerifyAuthenticationBody },
  output: { 200: AuthSession },
})

export const authPasskeyRegistrationOptions = operation({
  name: 'auth.passkey.registration_options',
  summary: 'Start the registration of a passkey',
  call: 'POST /auth/v1/passkeys/registration/options',
  audience: 'user',
  token: 'session-only',
  proof: 'recent-sign-in',
  output: { 200: PasskeyCeremony },
})

export const authPasskeyRegister = operation({
  name: 'auth.passkey.register',
  summary: 'Register a passkey',
  call: 'POST /auth/v1/passkeys/registration/verify',
  audience: 'user',
  token: 'session-only',
  proof: 'recent-sign-in',
  input: { body: VerifyRegistrationBody },
  output: { 200: Passkey },
})

export const authPasskeyList = operation({
  name: 'auth.passkey.list',
  summary: "List the caller's passkeys",
  call: 'GET /auth/v1/passkeys',
  audience: 'user',
  token: 'session-only',
  proof: 'none',
  output: { 200: Type.Array(Passkey) },
})

export const authPasskeyRename = operation({
  name: 'auth.passkey.rename',
  summary: "Rename one of the caller's passkeys",
  call: 'PATCH /auth/v1/passkeys/:passkeyId',
  audience: 'user',
  token: 'session-only',
  proof: 'none',
  input: { params: PasskeyParams, body: RenamePasskeyBody },
  output: { 200: Passkey },
})

export const authPasskeyDelete = operation({
  name: 'auth.passkey.delete',
  summary: "Remove one of the caller's passkeys",
  call: 'DELETE /auth/v1/passkeys/:passkeyId',
  audience: 'user',
  token: 'session-only',
  proof: 'factor',
  input: { params: PasskeyParams },
  output: { 204: null },
})

/** The authorization URL, to which the app redirects the browser. */
export const authIdentityLink = operation({
  name: 'auth.identity.link',
  summary: 'Start to link an account of a provider',
  call: 'GET /auth/v1/user/identities/authorize',
  audience: 'user',
  token: 'session-only',
  proof: 'recent-sign-in',
  input: { query: AuthorizeQuery },
  output: { 200: Type.Object({ url: Type.String() }) },
})

export const authIdentityUnlink = operation({
  name: 'auth.identity.unlink',
  summary: 'Unlink an account of a provider',
  call: 'DELETE /auth/v1/user/identities/:identityId',
  audience: 'user',
  token: 'session-only',
  proof: 'factor',
  input: { params: IdentityParams },
  output: { 200: Empty },
})

export const authFactorEnroll = operation({
  name: 'auth.factor.enroll',
  summary: 'Add a second factor that must be verified',
  call: 'POST /auth/v1/factors',
  audience: 'user',
  token: 'session-only',
  proof: 'recent-sign-in',
  input: { body: EnrollFactorBody },
  output: { 200: Type.Union([EnrolledApp, EnrolledKey]) },
})

export const authFactorChallenge = operation({
  name: 'auth.factor.challenge',
  summary: 'Open a challenge of a second factor',
  call: 'POST /auth/v1/factors/:factorId/challenge',
  audience: 'user',
  token: 'session-only',
  proof: 'none',
  input: { params: FactorParams },
  output: { 200: FactorChallenge },
})

export const authFactorVerify = operation({
  name: 'auth.factor.verify',
  summary: 'Answer a challenge; the session gets aal2',
  call: 'POST /auth/v1/factors/:factorId/verify',
  audience: 'user',
  token: 'session-only',
  proof: 'none',
  input: { params: FactorParams, body: VerifyFactorBody },
  output: { 200: AuthSession },
})

export const authFactorUnenroll = operation({
  name: 'auth.factor.unenroll',
  summary: 'Remove a second factor',
  call: 'DELETE /auth/v1/factors/:factorId',
  audience: 'user',
  token: 'session-only',
  proof: 'recent-sign-in',
  input: { params: FactorParams },
  output: { 200: FactorId },
})

export const authRecoveryCodeRead = operation({
  name: 'auth.recovery_code.read',
  summary: 'Count the recovery codes that remain',
  call: 'GET /auth/v1/factors/recovery-codes',
  audience: 'user',
  token: 'session-only',
  proof: 'none',
  output: { 200: RecoveryCodesStatus },
})

export const authRecoveryCodeCreate = operation({
  name: 'auth.recovery_code.create',
  summary: 'Create recovery codes',
  call: 'POST /auth/v1/factors/recovery-codes',
  audience: 'user',
  token: 'session-only',
  proof: 'fresh-factor',
  input: { body: RecoveryCodesBody },
  output: { 200: NewRecoveryCodes },
})

export const authRecoveryCodeReplace = operation({
  name: 'auth.recovery_code.replace',
  summary: 'Replace all recovery codes',
  call: 'POST /auth/v1/factors/recovery-codes/regenerate',
  audience: 'user',
  token: 'session-only',
  proof: 'fresh-factor',
  output: { 200: NewRecoveryCodes },
})

export const authRecoveryCodeVerify = operation({
  name: 'auth.recovery_code.verify',
  summary: 'Use a recovery code; the session gets aal2',
  call: 'POST /auth/v1/factors/recovery-codes/verify',
  audience: 'user',
  token: 'session-only',
  proof: 'none',
  input: { body: VerifyRecoveryCodeBody },
  output: { 200: AuthSession },
})

export const authRecoveryCodeDelete = operation({
  name: 'auth.recovery_code.delete',
  summary: 'Remove all recovery codes',
  call: 'DELETE /auth/v1/factors/recovery-codes',
  audience: 'user',
  token: 'session-only',
  proof: 'factor',
  output: { 200: FactorId },
})
