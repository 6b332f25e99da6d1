import type { RecoveryCodeService, RecoveryCodeSet } from '../../../features/factors/recovery-code-service.ts'
import type { FactorRouteDeps } from './factor-caller.ts'

export interface RecoveryDeps extends FactorRouteDeps {
  recoveryCodes: RecoveryCodeService
}

/** The answer with a new set of codes, the only one that contains them. */
export const presentCodes = ({ factor, codes }: RecoveryCodeSet): Record<string, unknown> => ({
  id: factor.id,
  type: 'recovery_code',
  friendly_name: factor.friendlyName,
  total: codes.length,
  codes,
})
