import type { Factor } from '@supabase/auth-js'

/** An authenticator app or a security key of the user. `createdAt`: RFC 3339. */
export interface FactorDevice {
  id: string
  kind: 'app' | 'key'
  name: string
  createdAt: string
}

const KINDS: Readonly<Record<string, FactorDevice['kind'] | undefined>> = { totp: 'app', webauthn: 'key' }

export const FIRST_NAMES = { app: 'Authenticator app', key: 'Security key' } as const

/** The verified apps and keys among the factors of the auth protocol, the oldest first. */
export const devicesOf = (factors: readonly Factor[]): FactorDevice[] =>
  factors.flatMap(({ id, factor_type: type, status, friendly_name: name, created_at: createdAt }) => {
    const kind = KINDS[type]
    return kind && status === 'verified' ? [{ id, kind, name: name || FIRST_NAMES[kind], createdAt }] : []
  })

/** A name for a new device that none of the factors has. */
export function freeName(wanted: string, factors: readonly Factor[]): string {
  const taken = new Set(factors.map(({ friendly_name: name }) => name))
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted} ${number}`
  return name
}
