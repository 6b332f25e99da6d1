import type { AuthError, Factor, GoTrueClient } from '@supabase/auth-js'
import { ceremonyProblem, SECURITY_KEY_TEXTS } from './ceremony-problem.ts'
import { devicesOf, type FactorDevice, FIRST_NAMES, freeName } from './factor-devices.ts'
import { SignInError } from './sign-in-error.ts'

export interface FactorList {
  devices: FactorDevice[]
  /** Undefined without recovery codes. */
  recoveryCodes: { total: number; remaining: number } | undefined
}
/** What the user enters into an authenticator app: `qrCode` is a data URL of a picture of the same. */
export interface EnrolledFactor {
  id: string
  qrCode: string
  secret: string
}

type Refuse = (error: AuthError | null) => void

const NO_CODES = { data: undefined, error: null }

/** The part of the auth client for two-step verification. */
export const createFactorMethods = (client: GoTrueClient, refuse: Refuse) => ({
  ...createSecondStep(client, refuse),
  ...createFactorChanges(client, refuse),
})

/** The second step of a sign-in. */
const createSecondStep = ({ mfa }: GoTrueClient, refuse: Refuse) => ({
  /** With a code of any of the user's apps. */
  verifyFactor: async (code: string): Promise<void> => {
    let last: AuthError | null = null
    const apps = devicesOf(await listFactors(mfa, refuse)).filter(({ kind }) => kind === 'app')
    for (const { id } of apps) {
      last = (await mfa.challengeAndVerify({ factorId: id, code })).error
      if (last?.code !== 'mfa_verification_failed') break
    }
    refuse(last)
  },
  /** With a security key. The browser asks the user to touch it. */
  verifyWithKey: async (factorId: string): Promise<void> => {
    refuseKey((await mfa.webauthn.authenticate({ factorId })).error, refuse)
  },
  /** With a recovery code. It works once. */
  useRecoveryCode: async (code: string): Promise<void> => {
    refuse((await mfa.recoveryCodes.verify({ code })).error)
  },
})

/** The factors of the signed-in user, and their changes. */
const createFactorChanges = (client: GoTrueClient, refuse: Refuse) => {
  const { mfa } = client
  return {
    factors: async (): Promise<FactorList> => {
      const factors = await listFactors(mfa, refuse)
      // Without a set the request would be refused, and the browser would log an error.
      const hasCodes = factors.some(({ factor_type: type }) => type === 'recovery_code')
      const { data, error } = hasCodes ? await mfa.recoveryCodes.getStatus() : NO_CODES
      if (error && error.code !== 'mfa_factor_not_found') refuse(error)
      return { devices: devicesOf(factors), recoveryCodes: data ?? undefined }
    },
    /** Starts to add an app. Earlier starts that were not finished are removed. */
    enrollFactor: async (): Promise<EnrolledFactor> => {
      const friendlyName = freeName(FIRST_NAMES.app, await discardUnfinished(mfa, refuse))
      const { data, error } = await mfa.enroll({ factorType: 'totp', friendlyName })
      refuse(error)
      if (!data) throw new Error('the response has no factor')
      return { id: data.id, qrCode: pictureUrl(data.totp.qr_code), secret: data.totp.secret }
    },
    /** Finishes adding an app. The other devices of the user are signed out. */
    confirmFactor: async (factorId: string, code: string): Promise<void> => {
      refuse((await mfa.challengeAndVerify({ factorId, code })).error)
    },
    /** Adds a security key. The browser asks the user to touch it. The other devices of the user are signed out. */
    addSecurityKey: async (name: string): Promise<void> => {
      const friendlyName = freeName(name, await discardUnfinished(mfa, refuse))
      refuseKey((await mfa.webauthn.register({ friendlyName })).error, refuse)
    },
    removeFactor: async (factorId: string): Promise<void> => {
      refuse((await mfa.unenroll({ factorId })).error)
      // The token names the former level, and the stored user the former factors.
      refuse((await client.refreshSession()).error)
    },
    /** Creates recovery codes; earlier ones no longer work. They can be read only now. */
    createRecoveryCodes: async (): Promise<string[]> => {
      const first = await mfa.recoveryCodes.generate()
      const isSecondSet = first.error?.code === 'mfa_verified_factor_exists'
      const { data, error } = isSecondSet ? await mfa.recoveryCodes.regenerate() : first
      refuse(error)
      return data?.codes ?? []
    },
  }
}

async function listFactors(mfa: GoTrueClient['mfa'], refuse: Refuse): Promise<Factor[]> {
  const { data, error } = await mfa.listFactors()
  refuse(error)
  return data?.all ?? []
}

/** Removes the starts to add a device that were not finished. Returns the other factors. */
async function discardUnfinished(mfa: GoTrueClient['mfa'], refuse: Refuse): Promise<Factor[]> {
  const factors = await listFactors(mfa, refuse)
  for (const { id, status } of factors) {
    if (status === 'unverified') refuse((await mfa.unenroll({ factorId: id })).error)
  }
  return factors.filter(({ status }) => status === 'verified')
}

/** Throws what the browser or the server refused about a security key. */
function refuseKey(error: AuthError | Error | null, refuse: Refuse): void {
  if (error === null) return
  const problem = ceremonyProblem(error, SECURITY_KEY_TEXTS)
  if (problem) throw problem
  if ('code' in error && error.code === 'webauthn_verification_failed') {
    throw new SignInError(error.code, 'This security key was not accepted.', error)
  }
  refuse(error as AuthError)
}

/** The picture of the library is a data URL with unescaped SVG, which not every browser accepts. */
const pictureUrl = (dataUrl: string): string =>
  `data:image/svg+xml,${encodeURIComponent(dataUrl.slice(dataUrl.indexOf(',') + 1))}`
