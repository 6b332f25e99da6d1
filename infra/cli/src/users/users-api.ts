import type { Role } from '@looptide/contracts/common'
import { fault, usageError } from '../exit-codes.ts'
import { required, type Settings } from '../settings.ts'
import { StationApi } from '../station-api.ts'

const PER_PAGE = 1000
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A user as the admin API presents it (docs/protocols/auth.md §2.11): the fields that the commands show. */
export interface ManagedUser {
  id: string
  email: string
  app_metadata: { role: Role }
  created_at: string
  email_confirmed_at?: string
  invited_at?: string
  last_sign_in_at?: string
  banned_until?: string
}

export interface Factor {
  id: string
  factor_type: 'totp' | 'webauthn' | 'recovery_code'
  friendly_name: string
  status: 'verified' | 'unverified'
}

export interface Passkey {
  id: string
  friendly_name: string
}

export interface UserChange {
  email?: string
  password?: string
  email_confirm?: boolean
  app_metadata?: { role: Role }
  ban_duration?: string
}

export interface GeneratedLink extends ManagedUser {
  action_link: string
  email_otp: string
  verification_type: string
}

/** The admin API of the auth protocol, authorised by the service key. */
export class UsersApi {
  readonly #station: StationApi

  constructor(settings: Settings) {
    const url = required(settings.url, 'LOOPTIDE_URL')
    if (settings.serviceKey === undefined) {
      throw usageError('Set AUTH_SERVICE_KEY to the service key of the station (docs/operations.md).')
    }
    this.#station = new StationApi(url, settings.serviceKey, false)
  }

  /** All users, newest first, or those whose email begins with `filter`. */
  async *list(filter?: string): AsyncGenerator<ManagedUser> {
    for (let page = 1, isLast = false; !isLast; page += 1) {
      const query = { page: String(page), per_page: String(PER_PAGE), filter }
      const answer = await this.#station.call('GET /auth/v1/admin/users', { query })
      const { users } = answer as { users: ManagedUser[] }
      yield* users
      isLast = users.length < PER_PAGE
    }
  }

  /** The user with this id or email. */
  async find(person: string): Promise<ManagedUser> {
    if (UUID.test(person))
      return (await this.#station.call('GET /auth/v1/admin/users/:id', {
        params: { id: person },
      })) as ManagedUser
    for await (const user of this.list(person)) {
      if (user.email === person.toLowerCase()) return user
    }
    throw fault(`No account has the email ${person}.`)
  }

  async create(change: UserChange & { email: string }): Promise<ManagedUser> {
    return (await this.#station.call('POST /auth/v1/admin/users', { body: change })) as ManagedUser
  }

  async update(id: string, change: UserChange): Promise<ManagedUser> {
    const input = { params: { id }, body: change }
    return (await this.#station.call('PUT /auth/v1/admin/users/:id', input)) as ManagedUser
  }

  async delete(id: string): Promise<void> {
    await this.#station.call('DELETE /auth/v1/admin/users/:id', { params: { id }, body: {} })
  }

  async factors(id: string): Promise<Factor[]> {
    return (await this.#station.call('GET /auth/v1/admin/users/:id/factors', { params: { id } })) as Factor[]
  }

  /** Removes all second factors of a user: apps and security keys, with the last of which the recovery codes go. */
  async removeFactors(id: string, factors: readonly Factor[]): Promise<void> {
    const devices = factors.filter(({ factor_type: type }) => type !== 'recovery_code')
    for (const factor of devices)
      await this.#station.call('DELETE /auth/v1/admin/users/:id/factors/:factorId', {
        params: { id, factorId: factor.id },
      })
  }

  async passkeys(id: string): Promise<Passkey[]> {
    return (await this.#station.call('GET /auth/v1/admin/users/:id/passkeys', {
      params: { id },
    })) as Passkey[]
  }

  async removePasskeys(id: string, passkeys: readonly Passkey[]): Promise<void> {
    for (const passkey of passkeys)
      await this.#station.call('DELETE /auth/v1/admin/users/:id/passkeys/:passkeyId', {
        params: { id, passkeyId: passkey.id },
      })
  }

  async invite(email: string): Promise<ManagedUser> {
    return (await this.#station.call('POST /auth/v1/invite', { body: { email } })) as ManagedUser
  }

  async link(body: {
    type: string
    email: string
    password?: string
    new_email?: string
  }): Promise<GeneratedLink> {
    return (await this.#station.call('POST /auth/v1/admin/generate_link', { body })) as GeneratedLink
  }
}
