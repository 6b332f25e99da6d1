import { clientNetworkOf } from '@looptide/service-kit/limits/client-network'
import { AccountError } from '../../account-error.ts'
import { mailboxOf } from '../user/mailbox.ts'
import type { AccountNetworks } from './account-networks.ts'
import type { PresentedProof } from './proof-of-work.ts'
import type { RateLimits } from './rate-limits.ts'

/** Who requests a mail: decides which budget of the mailbox the mail counts against. */
export interface MailRequester {
  /**
   * Name of a budget that strangers cannot use up: the network of a signed-in user, or one that the account's owner signed
   * in from before. Undefined: the budget of the mailbox that all strangers share.
   */
  ownBudget: string | undefined
  /** Whether the request carries a proof of work, which replaces waiting. Call it only for a mail that a limit refuses. */
  hasProof(): Promise<boolean>
  /** A challenge for a refusal; undefined when proofs are turned off. */
  challenge(excess: number): Promise<object | undefined>
}

/** The operator: requests with the service key and demands of admins. No limit refuses them. */
export const OPERATOR: MailRequester = {
  ownBudget: 'operator',
  hasProof: async () => true,
  challenge: async () => undefined,
}

interface MailAttempt {
  /** The email that the request names. */
  email: string
  ip: string
  proof: PresentedProof
  /** `owner`: of the mailbox, signed in. `new`: somebody without an account. By default the network tells. */
  from?: 'owner' | 'new'
}

/**
 * Limits requests for mails. A network has its own limits, per five minutes and per day, so that none can use up the limit
 * of the station. Above the station's limits, which strangers share, a proof of work is required, except from networks
 * that the account knows.
 */
export class MailGuard {
  readonly #limits: RateLimits
  readonly #networks: AccountNetworks

  constructor(options: { limits: RateLimits; networks: AccountNetworks }) {
    this.#limits = options.limits
    this.#networks = options.networks
  }

  /**
   * Counts one request. Call it before the recipient is looked up. Errors: `too_many_requests` for the client's network, of
   * the day with a challenge for an owner; `too_many_mails`, with a challenge, for the station.
   */
  async admit(attempt: MailAttempt): Promise<MailRequester> {
    const { ip } = attempt
    await this.#limits.consume(['mail-network', ip])
    const requester = await this.requesterOf(attempt)
    await this.#countForNetwork(ip, requester)
    const exhausted = await this.countForStation()
    if (exhausted === undefined || requester.ownBudget !== undefined) return requester
    if (await requester.hasProof()) return requester
    const { retryAfterMs, excess } = exhausted
    const challenge = await requester.challenge(excess)
    throw new AccountError('too_many_mails', 'Email rate limit exceeded', { retryAfterMs, challenge })
  }

  /** The requester of a mail that may not be necessary, and is therefore not counted yet. */
  async requesterOf({ email, ip, proof, from }: MailAttempt): Promise<MailRequester> {
    const isTrusted = from === undefined ? await this.#networks.isKnown(email, ip) : from === 'owner'
    let accepted: Promise<boolean> | undefined
    return {
      ownBudget: isTrusted ? clientNetworkOf(ip).network : undefined,
      hasProof: () => (accepted ??= this.#accepts(proof, email, ip)),
      challenge: (excess) => proof.challenge(excess),
    }
  }

  /** Counts a mail for the whole station. Returns the limit that it exceeds. */
  async countForStation() {
    const minute = await this.#limits.tryConsume(['station-mails'])
    const day = await this.#limits.tryConsume(['station-mails-daily'])
    return day ?? minute
  }

  /** Counts a mail for the network and the day. People behind one address share this, so an owner can pay with work. */
  async #countForNetwork(ip: string, { ownBudget, hasProof, challenge }: MailRequester): Promise<void> {
    const exhausted = await this.#limits.tryConsume(['mail-network-daily', ip])
    if (exhausted === undefined) return
    const { retryAfterMs, excess } = exhausted
    if (ownBudget === undefined) throw AccountError.tooManyRequests(retryAfterMs)
    if (!(await hasProof())) throw AccountError.tooManyRequests(retryAfterMs, await challenge(excess))
  }

  /** Whether the proof counts: each network may send few mails with proofs to one mailbox. */
  async #accepts(proof: PresentedProof, email: string, ip: string): Promise<boolean> {
    if (!(await proof.isAccepted())) return false
    await this.#limits.consume(['mail-with-proof', mailboxOf(email), ip])
    return true
  }
}
