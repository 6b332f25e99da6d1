import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { EnrollFactorBody } from '@looptide/contracts/http/auth'
import type { FactorService } from '../../../features/factors/factor-service.ts'
import { AuthError } from '../../auth-error.ts'
import { type FactorRouteDeps, readFactorCaller } from './factor-caller.ts'

interface EnrollDeps extends FactorRouteDeps {
  factors: FactorService
  /** Shown by the authenticator app if the request names no issuer. */
  brandName: string
  /** Whether the station's address permits security keys. */
  hasPasskeys: boolean
}

/** `POST /factors` */
export const enrollFactor: FastifyPluginAsyncTypebox<EnrollDeps> = async (app, deps) => {
  app.post(
    '/factors',
    { schema: { body: EnrollFactorBody }, config: { operation: 'auth.factor.enroll' } },
    async (request) => {
      const { caller } = await readFactorCaller(request, deps)
      const { factor_type: type, friendly_name: name, issuer } = request.body
      requireOffered(type, deps.hasPasskeys)
      const friendlyName = name ?? ''
      if (type === 'webauthn') {
        const { id } = await deps.factors.enrollKey(caller, friendlyName)
        return { id, type, friendly_name: friendlyName }
      }
      const app = { friendlyName, issuer: issuer || deps.brandName }
      const { id, totp } = await deps.factors.enrollApp(caller, app)
      const { secret, uri, qrCode } = totp
      return { id, type, friendly_name: friendlyName, totp: { qr_code: qrCode, secret, uri } }
    },
  )
}

/** Refuses the types of factors that this station does not offer. */
function requireOffered(type: string, hasPasskeys: boolean): void {
  if (type === 'totp' || (type === 'webauthn' && hasPasskeys)) return
  if (type === 'phone') {
    throw new AuthError('mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone')
  }
  if (type === 'webauthn') {
    throw new AuthError('mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn')
  }
  throw AuthError.validation('factor_type needs to be totp, phone, or webauthn')
}
