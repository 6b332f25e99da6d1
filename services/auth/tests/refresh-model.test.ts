import { bearerOf } from '@looptide/testkit/client'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, signUp, startAuth, type TestAuth, VERSION } from './_harness.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

const OWNER = { ip: '203.0.113.1', agent: 'Owner/1' }
const THIEF = { ip: '198.51.100.9', agent: 'Thief/1' }

async function refresh(token: string, { ip, agent }: typeof OWNER): Promise<Answered> {
  const { status, body } = await call(
    `${auth.url}/token?grant_type=refresh_token`,
    'POST',
    { refresh_token: token },
    { ...VERSION, 'x-forwarded-for': ip, 'user-agent': agent },
  )
  return { isGiven: status === 200, access: body.access_token, token: body.refresh_token }
}
const getUser = async (access: string) =>
  (await call(`${auth.url}/user`, 'GET', undefined, { ...VERSION, ...bearerOf(access) })).status

interface Answered {
  isGiven: boolean
  access: string
  token: string
}

/** A client that keeps the last answer, as the stock client does. */
class Owner {
  token: string
  access: string
  /** Every token this client has received. */
  readonly held: string[]

  constructor(session: { refresh_token: string; access_token: string }) {
    this.token = session.refresh_token
    this.access = session.access_token
    this.held = [this.token]
  }

  /** False when the session has ended. */
  async refresh(isLost: boolean): Promise<boolean> {
    const answer = await refresh(this.token, OWNER)
    if (!answer.isGiven) return false
    if (isLost) return true
    this.token = answer.token
    this.access = answer.access
    if (!this.held.includes(answer.token)) this.held.push(answer.token)
    return true
  }
}

const waitS = fc.constantFrom(0, 1, 5, 11, 60, 3000)
const ownerStep = fc.record({
  waitS,
  isLost: fc.boolean(),
  /** Whether the owner then presents the new access token to auth. */
  isUsed: fc.boolean(),
})
const RUNS = { numRuns: 15 }

it('an owner without an attacker is never signed out, however many answers are lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ownerStep, { minLength: 1, maxLength: 12 }), async (steps) => {
      const owner = new Owner((await signUp(auth)) as never)
      for (const step of steps) {
        auth.clock.advance(step.waitS * 1000)
        expect(await owner.refresh(step.isLost)).toBe(true)
        if (step.isUsed) expect([200, 403]).toContain(await getUser(owner.access))
      }
      expect(await owner.refresh(false)).toBe(true)
      expect(await getUser(owner.access)).toBe(200)
    }),
    RUNS,
  )
})

it('a thief on another network with any former token, after the reuse interval, gets nothing and ends the session', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ownerStep, { minLength: 1, maxLength: 8 }), fc.nat(), async (steps, pick) => {
      const owner = new Owner((await signUp(auth)) as never)
      for (const step of steps) {
        auth.clock.advance(step.waitS * 1000)
        await owner.refresh(false)
      }
      const used = owner.held.slice(0, -1)
      auth.clock.advance(10_001)
      expect((await refresh(used[pick % used.length]!, THIEF)).isGiven).toBe(false)
      expect(await owner.refresh(false)).toBe(false)
    }),
    RUNS,
  )
})

it('a thief with the owner’s network and browser, alternating with the owner, gets at most one answer', async () => {
  const turn = fc.record({
    by: fc.constantFrom('owner', 'thief'),
    waitS: fc.constantFrom(11, 60, 3000),
    pick: fc.nat(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 16 }), async (turns) => {
      const owner = new Owner((await signUp(auth)) as never)
      let stolen = 0
      for (const { by, waitS, pick } of turns) {
        auth.clock.advance(waitS * 1000)
        if (by === 'owner') {
          if (!(await owner.refresh(false))) break
          expect(await getUser(owner.access)).toBe(200)
          continue
        }
        // Any used token, including the parent of the active one.
        const used = owner.held.slice(0, -1)
        if (used.length === 0) continue
        if ((await refresh(used[pick % used.length]!, OWNER)).isGiven) stolen += 1
        else break
      }
      expect(stolen).toBeLessThanOrEqual(1)
    }),
    RUNS,
  )
})

it('tabs that race with one token all get the same successor, repeatedly', async () => {
  const viewer = await signUp(auth)
  let token = viewer.refresh_token
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(token, OWNER)))
    expect(answers.map((answer) => answer.isGiven)).toEqual(Array(8).fill(true))
    expect(new Set(answers.map((answer) => answer.token)).size).toBe(1)
    token = answers[0]!.token
    auth.clock.advance(attempt * 7000)
  }
})
