/** A limit of `points` attempts per `seconds`, before the factor of the settings is applied. */
interface Rule {
  points: number
  seconds: number
  /** Whether the last part of the key is a client's IP, counted by network and, four times as high, by IPv6 /48. */
  byNetwork?: boolean
  /** False: the factor of the settings is not applied. */
  scaled?: boolean
}

const RULES = {
  /** Sign-ups, mail requests, code checks and sign-ins from one network. */
  'mail-network': { points: 60, seconds: 300, byNetwork: true },
  'sign-up-network': { points: 60, seconds: 300, byNetwork: true },
  /** Sign-ups with and without a proof of work, where one is required. */
  'sign-up-challenge': { points: 240, seconds: 300, byNetwork: true },
  /** Mails with a proof of work to one mailbox, beyond the mailbox's limits. */
  'mail-with-proof': { points: 5, seconds: 3600, byNetwork: true },
  'verify-network': { points: 60, seconds: 300, byNetwork: true },
  'password-network': { points: 120, seconds: 300, byNetwork: true },
  /** Challenges for a sign-in with a passkey: one for each visit of the sign-in page. They cost no query. */
  'passkey-challenge-network': { points: 600, seconds: 300, byNetwork: true },
  'passkey-network': { points: 120, seconds: 300, byNetwork: true },
  /** Sign-ins at providers: each counts when it begins and when it returns. */
  'provider-network': { points: 120, seconds: 300, byNetwork: true },
  /** Identities linked or unlinked. Each sends a mail. */
  'identity-account': { points: 20, seconds: 3600 },
  'refresh-network': { points: 1800, seconds: 300, byNetwork: true },
  /** Wrong passwords for one account, from one network and from all networks together. */
  'password-account-network': { points: 10, seconds: 300, byNetwork: true },
  'password-account': { points: 60, seconds: 900 },
  /** Wrong passwords from a network the owner signed in from before. They do not count for `password-account`. */
  'password-known-network': { points: 10, seconds: 300, byNetwork: true },
  /** Attempts over these limits that carry a proof of work. */
  'password-with-proof': { points: 30, seconds: 900, byNetwork: true },
  /** Wrong codes that replace the current password, by user. Strangers cannot use them up. */
  'reauthentication-account': { points: 10, seconds: 3600, scaled: false },
  /** A proof is accepted once. The window is at least as long as a challenge is valid. */
  'proof-used': { points: 1, seconds: 300, scaled: false },
  'refresh-session': { points: 120, seconds: 60 },
  /** The admin API, also with a wrong key. */
  'admin-network': { points: 1200, seconds: 300, byNetwork: true },
  'update-account': { points: 30, seconds: 300 },
  /** Passkeys added or removed. Each sends a mail. */
  'passkey-account': { points: 20, seconds: 3600 },
  /** Personal access tokens created. Each sends a mail. */
  'personal-token-account': { points: 20, seconds: 3600 },
  /** Devices that begin to be paired, and their requests while they wait: a device asks 60 times in five minutes. */
  'device-network': { points: 30, seconds: 300, byNetwork: true },
  'device-poll-network': { points: 1200, seconds: 300, byNetwork: true },
  /** Wrong user codes of devices, of one user and from one network (RFC 8628 §5.1). */
  'device-guess-account': { points: 5, seconds: 900 },
  'device-guess-network': { points: 5, seconds: 900, byNetwork: true },
  /** Requests about second factors from one network. */
  'factor-network': { points: 120, seconds: 300, byNetwork: true },
  /**
   * Wrong codes of an authenticator app for one account: from one network, from one that the owner signed in from before,
   * and from all others together, which somebody who knows the password can use up.
   */
  'factor-account-network': { points: 10, seconds: 900, byNetwork: true },
  'factor-known-network': { points: 60, seconds: 86_400, byNetwork: true },
  'factor-account': { points: 60, seconds: 86_400 },
  /** Wrong recovery codes. They have 80 random bits: no limit over all networks is needed. */
  'recovery-code': { points: 10, seconds: 900, byNetwork: true },
} as const satisfies Record<string, Rule>

type FixedRuleName = keyof typeof RULES
/** Limits of the whole station, which the operator sets, and what one network can use of a day's mails. */
type StationRuleName = 'station-sign-ups' | 'station-mails' | 'station-mails-daily' | 'mail-network-daily'
export type RuleName = FixedRuleName | StationRuleName

/** Part of the station's mails of a day that one network may request: a twentieth, and at least so many. */
const NETWORK_SHARE = 20
const MIN_NETWORK_MAILS = 5

/** The limits that the operator sets. */
export interface StationLimits {
  signUpsPerMinute: number
  mailsPerMinute: number
  mailsPerDay: number
}

/** All rules with their effective limits, at least one point each. */
export function rulesFor(station: StationLimits, factor: number): ReadonlyMap<RuleName, Required<Rule>> {
  const all: Record<RuleName, Rule> = {
    ...RULES,
    'station-sign-ups': { points: station.signUpsPerMinute, seconds: 60 },
    'station-mails': { points: station.mailsPerMinute, seconds: 60 },
    'station-mails-daily': { points: station.mailsPerDay, seconds: 86_400 },
    'mail-network-daily': {
      points: Math.max(MIN_NETWORK_MAILS, station.mailsPerDay / NETWORK_SHARE),
      seconds: 86_400,
      byNetwork: true,
    },
  }
  return new Map(
    (Object.entries(all) as [RuleName, Rule][]).map(([name, rule]) => {
      const { points, seconds, byNetwork = false, scaled = true } = rule
      const effective = Math.max(1, Math.round(points * (scaled ? factor : 1)))
      return [name, { points: effective, seconds, byNetwork, scaled }]
    }),
  )
}
