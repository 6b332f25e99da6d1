import { useSyncExternalStore } from 'react'
import { userIdOf } from '../lib/session/token-claims.ts'
import type { PairedSession } from './pairing.ts'

/** An account that has signed this television in, with its session. */
export interface TvAccount {
  userId: string
  name: string
  session: PairedSession
}

/** Most accounts that a television keeps besides the one that is watching: as many as fit beside the picture. */
export const MAX_OTHERS = 4
const KEY = 'looptide-tv-accounts'
const REFRESH = '/auth/v1/token?grant_type=refresh_token'

interface AccountsDeps {
  /** Throws where the browser forbids it: then accounts are kept until the page is left. */
  storage: () => Pick<Storage, 'getItem' | 'setItem'>
  /** Posts JSON to the station. */
  post: (path: string, body: object) => Promise<Response>
  /** Makes a session that of this browser. */
  adopt: (session: PairedSession) => Promise<void>
}

/** `ended`: the session of the account is no longer valid. `failed`: the station did not say. */
export type Choice = 'chosen' | 'ended' | 'failed'

/**
 * The accounts of a household that share a television. One is watching, with the session of this browser; those of the
 * others are kept until they are chosen. Any of them can be ended on another device of its owner.
 */
export function createAccounts({ storage, post, adopt }: AccountsDeps) {
  let others = read(storage)
  const listeners = new Set<() => void>()
  const set = (accounts: readonly TvAccount[]) => {
    others = accounts.slice(-MAX_OTHERS)
    try {
      storage().setItem(KEY, JSON.stringify(others))
    } catch {
      // See `storage`.
    }
    for (const listener of [...listeners]) listener()
  }
  const without = (...userIds: readonly (string | undefined)[]) =>
    others.filter(({ userId }) => !userIds.includes(userId))
  /** Keeps the account that was watching, unless it is the one that watches now. */
  const exchange = (comes: string, leaves: TvAccount | undefined) =>
    set([...without(comes, leaves?.userId), ...(leaves && leaves.userId !== comes ? [leaves] : [])])

  return {
    others: () => others,
    onChange: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Lets the account of a pairing watch. */
    add: async (session: PairedSession, watching: TvAccount | undefined): Promise<void> => {
      await adopt(session)
      exchange(userIdOf(session.access_token) ?? '', watching)
    },
    /** Lets a kept account watch; one whose session has ended is forgotten. */
    choose: async (next: TvAccount, watching: TvAccount | undefined): Promise<Choice> => {
      try {
        // Not by the library: it would discard the session of the browser if this one has ended.
        const response = await post(REFRESH, { refresh_token: next.session.refresh_token })
        if (response.status === 400 || response.status === 401 || response.status === 403) {
          set(without(next.userId))
          return 'ended'
        }
        if (!response.ok) return 'failed'
        const session = (await response.json()) as PairedSession
        // Its former refresh token is used up.
        set(others.map((other) => (other.userId === next.userId ? { ...other, session } : other)))
        await adopt(session)
      } catch {
        return 'failed'
      }
      exchange(next.userId, watching)
      return 'chosen'
    },
  }
}

export type TvAccounts = ReturnType<typeof createAccounts>

/** The accounts that are kept, as {@link createAccounts} returns them. */
export const useOthers = ({ onChange, others }: TvAccounts): readonly TvAccount[] =>
  useSyncExternalStore(onChange, others)

function read(storage: AccountsDeps['storage']): readonly TvAccount[] {
  try {
    const accounts: unknown = JSON.parse(storage().getItem(KEY) ?? '[]')
    return Array.isArray(accounts) ? accounts.filter(isAccount).slice(-MAX_OTHERS) : []
  } catch {
    return []
  }
}

function isAccount(value: unknown): value is TvAccount {
  const { userId, name, session } = (value ?? {}) as Partial<Record<keyof TvAccount, unknown>>
  const { access_token: access, refresh_token: refresh } = (session ?? {}) as Partial<
    Record<keyof PairedSession, unknown>
  >
  return [userId, name, access, refresh].every((text) => typeof text === 'string')
}
