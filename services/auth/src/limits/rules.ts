/** A limit of `points` per `seconds`, before the factor of the settings. */
interface Rule {
  points: number
  seconds: number
  /** The last part of the key is a client's address: it is counted by network, and by site (see {@link SITE_SHARE}). */
  byNetwork?: boolean
  /** False: the factor of the settings does not apply. */
  scaled?: boolean
}

/** A site (IPv6 /48) has this many times the points of one of its networks (/64). */
export const SITE_SHARE = 4

const RULES = {
  /** Sign-ups, mails and codes from one network. */
  'mail-network': { points: 60, seconds: 300, byNetwork: true },
  'sign-up-network': { points: 60, seconds: 300, byNetwork: true },
  'verify-network': { points: 60, seconds: 300, byNetwork: true },
  'password-network': { points: 120, seconds: 300, byNetwork: true },
  'refresh-network': { points: 1800, seconds: 300, byNetwork: true },
  /** Wrong passwords of one account: from one network, and from all networks together. */
  'password-account-network': { points: 10, seconds: 300, byNetwork: true },
  'password-account': { points: 60, seconds: 900 },
  /** The same from a network from which the account was used before; `password-account` does not count these. */
  'password-known-network': { points: 10, seconds: 300, byNetwork: true },
  /** Tries beyond these limits with a proof of work. */
  'password-proved': { points: 30, seconds: 900, byNetwork: true },
  /** A proof counts once. The seconds are no fewer than those a challenge is valid for. */
  'proof-spent': { points: 1, seconds: 300, scaled: false },
  'refresh-session': { points: 120, seconds: 60 },
  'update-account': { points: 30, seconds: 300 },
} as const satisfies Record<string, Rule>

export type FixedRuleName = keyof typeof RULES
/** Circuit breakers of the whole station; how much they let through is set by the operator. */
export type StationRuleName = 'station-sign-ups' | 'station-mails' | 'station-mails-daily'
export type RuleName = FixedRuleName | StationRuleName

/** What the operator sets. */
export interface StationLimits {
  signUpsPerMinute: number
  mailsPerMinute: number
  mailsPerDay: number
}

/** Every rule with the points that are in force. At least one point each. */
export function rulesFor(station: StationLimits, factor: number): ReadonlyMap<RuleName, Required<Rule>> {
  const all: Record<RuleName, Rule> = {
    ...RULES,
    'station-sign-ups': { points: station.signUpsPerMinute, seconds: 60 },
    'station-mails': { points: station.mailsPerMinute, seconds: 60 },
    'station-mails-daily': { points: station.mailsPerDay, seconds: 86_400 },
  }
  return new Map(
    (Object.entries(all) as [RuleName, Rule][]).map(([name, rule]) => {
      const { points, seconds, byNetwork = false, scaled = true } = rule
      const inForce = Math.max(1, Math.round(points * (scaled ? factor : 1)))
      return [name, { points: inForce, seconds, byNetwork, scaled }]
    }),
  )
}
