import { useSyncExternalStore } from 'react'
import { authClient } from '../clients.ts'
import { devicesOf, type FactorDevice } from './factor-devices.ts'

/** The apps and keys of the user of this browser, as of the last sign-in or refresh, also before the second step. */
export function useFactorDevices(): FactorDevice[] {
  const state = useSyncExternalStore(authClient.onChange, authClient.state)
  return 'session' in state ? devicesOf(state.session.user.factors ?? []) : []
}
