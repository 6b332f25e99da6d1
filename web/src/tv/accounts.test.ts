import { describe, expect, it } from 'vitest'
import { createAccounts, MAX_OTHERS, type TvAccount } from './accounts.ts'
import type { PairedSession } from './pairing.ts'

const token = (userId: string) => `header.${btoa(JSON.stringify({ sub: userId }))}.signature`
const sessionOf = (userId: string, refresh = userId): PairedSession => ({
  access_token: token(userId),
  refresh_token: refresh,
})
const account = (userId: string): TvAccount => ({
  userId,
  name: userId.toUpperCase(),
  session: sessionOf(userId),
})
const [ann, ben, cleo] = ['ann', 'ben', 'cleo'].map(account) as [TvAccount, TvAccount, TvAccount]

/** Accounts of a television. `answer`: what the station says to a refresh. */
function television(stored: Record<string, string> = {}) {
  const adopted: PairedSession[] = []
  const refreshed: object[] = []
  const tv = {
    answer: (): Response => Response.json(sessionOf('ben', 'next')),
    isAdoptable: true,
  }
  const open = () =>
    createAccounts({
      storage: () => ({
        getItem: (key) => stored[key] ?? null,
        setItem: (key, text) => {
          stored[key] = text
        },
      }),
      post: async (path, body) => {
        expect(path).toBe('/auth/v1/token?grant_type=refresh_token')
        refreshed.push(body)
        return tv.answer()
      },
      adopt: async (session) => {
        if (!tv.isAdoptable) throw new Error('no network')
        adopted.push(session)
      },
    })
  return { ...tv, tv, open, accounts: open(), adopted, refreshed }
}

describe('the accounts of a television', () => {
  it('keep the one that was watching when another one is added, and after a reload', async () => {
    const { accounts, adopted, open } = television()
    await accounts.add(sessionOf('ann'), undefined)
    expect(accounts.others()).toEqual([])
    await accounts.add(sessionOf('ben'), ann)
    expect(adopted).toEqual([sessionOf('ann'), sessionOf('ben')])
    expect(open().others()).toEqual([ann])
  })

  it('change places when one is chosen', async () => {
    const { accounts, adopted, refreshed } = television()
    await accounts.add(sessionOf('cleo'), ben)
    await accounts.add(sessionOf('ann'), cleo)
    expect(await accounts.choose(ben, ann)).toBe('chosen')
    expect(refreshed).toEqual([{ refresh_token: 'ben' }])
    expect(adopted.at(-1)).toEqual(sessionOf('ben', 'next'))
    expect(accounts.others()).toEqual([cleo, ann])
  })

  it.each([400, 401, 403])('forget one whose session has ended (%d)', async (status) => {
    const { tv, accounts, adopted } = television()
    await accounts.add(sessionOf('ann'), ben)
    tv.answer = () => Response.json({ code: 'refresh_token_not_found' }, { status })
    expect(await accounts.choose(ben, ann)).toBe('ended')
    expect([accounts.others(), adopted.length]).toEqual([[], 1])
  })

  it('keep one while the station does not answer, with the token that it has given', async () => {
    const { tv, accounts } = television()
    await accounts.add(sessionOf('ann'), ben)
    tv.answer = () => new Response(null, { status: 503 })
    expect(await accounts.choose(ben, ann)).toBe('failed')
    tv.answer = () => {
      throw new TypeError('no network')
    }
    expect(await accounts.choose(ben, ann)).toBe('failed')
    expect(accounts.others()).toEqual([ben])
    tv.answer = () => Response.json(sessionOf('ben', 'next'))
    tv.isAdoptable = false
    expect(await accounts.choose(ben, ann)).toBe('failed')
    expect(accounts.others()).toEqual([{ ...ben, session: sessionOf('ben', 'next') }])
  })

  it('contain nobody twice, and a bounded number', async () => {
    const { accounts } = television()
    await accounts.add(sessionOf('ann'), ann)
    expect(accounts.others()).toEqual([])
    for (let n = 0; n < MAX_OTHERS + 3; n += 1) await accounts.add(sessionOf('ann'), account(`user${n}`))
    expect(accounts.others()).toHaveLength(MAX_OTHERS)
  })

  it('are none where the stored text is not one of theirs, or storage is forbidden', async () => {
    for (const text of ['', '{', 'null', '{}', '[1, null, {"userId": "x"}]'])
      expect(television({ 'looptide-tv-accounts': text }).accounts.others()).toEqual([])
    const accounts = createAccounts({
      storage: () => {
        throw new DOMException('forbidden', 'SecurityError')
      },
      post: () => Promise.reject(new Error('unused')),
      adopt: () => Promise.resolve(),
    })
    await accounts.add(sessionOf('ann'), ben)
    expect(accounts.others()).toEqual([ben])
  })
})
