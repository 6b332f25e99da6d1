import type { AuthError, Factor, GoTrueClient } from '@supabase/auth-js'

/** An authenticator app of the user. `createdAt`: RFC 3339. */
export type AuthenticatorApp = { id: string; name: string; createdAt: string }
export type FactorList = {
  apps: AuthenticatorApp[]
  /** Undefined without recovery codes. */
  recoveryCodes: { total: number; remaining: number } | undefined
}
/** What the user enters into an authenticator app: `qrCode` is a data URL of a picture of the same. */
export type EnrolledFactor = { id: string; qrCode: string; secret: string }

type Refuse = (error: AuthError | null) => void

const APP_NAME = 'Authenticator app'
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
    for (const { id } of await verifiedApps(mfa, refuse)) {
      last = (await mfa.challengeAndVerify({ factorId: id, code })).error
      if (last?.code !== 'mfa_verification_failed') break
    }
    refuse(last)
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
      const apps = factors.filter(isVerifiedApp)
      // Without a set the request would be refused, and the browser would log an error.
      const hasCodes = factors.some(({ factor_type: type }) => type === 'recovery_code')
      const { data, error } = hasCodes ? await mfa.recoveryCodes.getStatus() : NO_CODES
      if (error && error.code !== 'mfa_factor_not_found') refuse(error)
      const toApp = ({ id, friendly_name: name, created_at: createdAt }: Factor): AuthenticatorApp => ({
        id,
        name: name || APP_NAME,
        createdAt,
      })
      return { apps: apps.map(toApp), recoveryCodes: data ?? undefined }
    },
    /** Starts to add an app. Earlier starts that were not finished are removed. */
    enrollFactor: async (): Promise<EnrolledFactor> => {
      const factors = await listFactors(mfa, refuse)
      for (const { id, status } of factors) {
        if (status === 'unverified') refuse((await mfa.unenroll({ factorId: id })).error)
      }
      const friendlyName = freeName(factors.filter(({ status }) => status === 'verified'))
      const { data, error } = await mfa.enroll({ factorType: 'totp', friendlyName })
      refuse(error)
      if (!data) throw new Error('the answer has no factor')
      return { id: data.id, qrCode: pictureUrl(data.totp.qr_code), secret: data.totp.secret }
    },
    /** Finishes adding an app. The other devices of the user are signed out. */
    confirmFactor: async (factorId: string, code: string): Promise<void> => {
      refuse((await mfa.challengeAndVerify({ factorId, code })).error)
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

const verifiedApps = async (mfa: GoTrueClient['mfa'], refuse: Refuse): Promise<Factor[]> =>
  (await listFactors(mfa, refuse)).filter(isVerifiedApp)

const isVerifiedApp = ({ factor_type: type, status }: Factor): boolean =>
  type === 'totp' && status === 'verified'

/** A name that none of the factors has. */
function freeName(factors: readonly Factor[]): string {
  const taken = new Set(factors.map(({ friendly_name: name }) => name))
  let name = APP_NAME
  for (let number = 2; taken.has(name); number++) name = `${APP_NAME} ${number}`
  return name
}

/** The picture of the library is a data URL with unescaped SVG, which not every browser accepts. */
const pictureUrl = (dataUrl: string): string =>
  `data:image/svg+xml,${encodeURIComponent(dataUrl.slice(dataUrl.indexOf(',') + 1))}`
