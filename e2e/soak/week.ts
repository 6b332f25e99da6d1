import { setTimeout as pause } from 'node:timers/promises'
import type { NowState } from '@looptide/contracts/http/channels'
import { type Random, seededRandom } from '@looptide/playhead/random'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { signIn, signUp } from '../support/people.ts'
import { getJson } from '../support/records.ts'
import { AirLogReader } from './checks/air-log.ts'
import { MemoryRecord } from './checks/memory.ts'
import type { FastStation } from './fast-station.ts'
import { BusyAdmin, QUIET_CHANNEL } from './life/admin.ts'
import { Moderator, Viewer, visitOnce } from './life/audience.ts'
import { INCIDENTS, type Incident } from './life/incidents.ts'
import { Ledger } from './life/ledger.ts'
import { Person } from './life/person.ts'

export const HOUR_MS = 3_600_000
const VIEWERS = 4
const SAMPLE_EVERY_HOURS = 6
/** Pause of each simulated user between two actions, in real ms: low enough a load for two cores. */
const PAUSE_MS = { admin: 50, viewer: 120, moderator: 500, guest: 1500 } as const

export interface Plan {
  hours: number
  /** Hours at which an incident happens: the next one of {@link INCIDENTS} each time. */
  incidentsAt: readonly number[]
}

/** The records of the simulated time, for the final checks. */
export interface Lived {
  startedAtMs: number
  ledger: Ledger
  airLog: AirLogReader
  memory: MemoryRecord
  incidents: Incident[]
  said: number
}

/** Runs the simulated week: users sign up, chat and edit, incidents happen, and the clock advances. */
export async function live(fast: FastStation, plan: Plan): Promise<Lived> {
  const { station } = fast
  const ledger = new Ledger()
  const random = seededRandom('a week')
  const airLog = new AirLogReader(fast.databaseUrl)
  const memory = new MemoryRecord()
  const { admin, moderator, viewers } = await createPeople(fast, ledger, random)
  const isOnTheAir = async () => {
    const { programmes } = await getJson<NowState>(station.url, `/api/channels/${QUIET_CHANNEL}/now`)
    return (programmes[0]?.startsAtMs ?? Number.POSITIVE_INFINITY) < fast.now()
  }
  await until('the quiet channel is on the air', isOnTheAir, { timeoutMs: 60_000 })
  const startedAtMs = fast.now()
  const end = new AbortController()
  const guests = async (): Promise<void> => {
    const account = await signUp(station.url, 'guest').catch(() => null)
    if (account !== null) await visitOnce(new Person(station.url, ledger, account), random)
  }
  const actions = [
    repeat(() => admin.act(), PAUSE_MS.admin, end.signal),
    ...viewers.map((viewer) => repeat(() => viewer.act(), PAUSE_MS.viewer, end.signal)),
    repeat(() => moderator.act(), PAUSE_MS.moderator, end.signal),
    repeat(guests, PAUSE_MS.guest, end.signal),
  ]
  const incidents: Incident[] = []
  try {
    for (let hour = 0; hour <= plan.hours; hour += 1) {
      await fast.reach(startedAtMs + hour * HOUR_MS)
      if (plan.incidentsAt.includes(hour)) {
        const incident = INCIDENTS[incidents.length % INCIDENTS.length] as Incident
        incidents.push(incident)
        await incident.happen(fast)
      } else if (hour % SAMPLE_EVERY_HOURS === 0) {
        await memory.sample(fast, hour)
        await airLog.read()
      }
    }
    // How much viewers say depends on the speed of the machine; what is checked afterwards needs some of it.
    await until('viewers have said something every hour', () => saidBy(viewers) > plan.hours, {
      timeoutMs: 60_000,
    })
  } finally {
    end.abort()
    await Promise.all(actions)
  }
  return { startedAtMs, ledger, airLog, memory, incidents, said: saidBy(viewers) }
}

const saidBy = (viewers: readonly Viewer[]): number => viewers.reduce((sum, viewer) => sum + viewer.said, 0)

async function repeat(act: () => Promise<unknown>, restMs: number, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    await act()
    await pause(restMs)
  }
}

/** Creates the first admin, a moderator and viewers, and fills the library. */
async function createPeople(fast: FastStation, ledger: Ledger, random: Random) {
  const { station, youtube } = fast
  const token = await signIn(station.url, testAdmin.email, testAdmin.password)
  const accounts = await Promise.all(
    Array.from({ length: VIEWERS + 1 }, (_, index) => signUp(station.url, `resident-${index}`)),
  )
  const [keeper, ...residents] = accounts
  if (keeper === undefined) throw new Error('no user has signed up')
  await clientOf(station.url, token).call('PUT /api/users/:id/role', {
    params: { id: keeper.id },
    body: { role: 'moderator' },
  })
  const urls = Array.from({ length: 25 }, (_, n) => `https://youtu.be/base${String(n).padStart(7, '0')}`)
  await clientOf(station.url, token).call('POST /api/videos', { body: { urls } })
  return {
    admin: new BusyAdmin(new Person(station.url, ledger, testAdmin), youtube, random),
    moderator: new Moderator(new Person(station.url, ledger, keeper), random, fast.now, keeper.id),
    viewers: residents.map((account) => new Viewer(new Person(station.url, ledger, account), random)),
  }
}
