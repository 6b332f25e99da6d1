import { segmentsOf } from '@looptide/planner/grid'
import type { SchedulePlan } from '@looptide/planner/plan'
import { planSchedule } from '@looptide/planner/plan-schedule'
import { faultsOf } from '@looptide/planner/testing/check-plan'
import { exampleLibrary } from '@looptide/planner/testing/example-library'
import { exampleSchedule } from '@looptide/planner/testing/example-schedule'
import { rounded } from '../report.ts'

const DAY_MS = 86_400_000
/** History that a plan needs: longer than any separation rule, and the current local date. */
const HISTORY_MS = 2 * DAY_MS

/** Plans a channel of 500 videos day by day and checks every day. */
export function simulateYears(timeZone: string, years: number, fromMs: number) {
  const document = exampleSchedule(timeZone)
  const library = exampleLibrary(500)
  const playlists = new Map([['', library.slice(0, 40).map(({ id }) => ({ itemId: id, videoId: id }))]])
  const totals = { programmes: 0, hardStarts: 0, cutShort: 0, relaxed: 0, faults: 0, cpuMs: 0 }
  const endMs = fromMs + years * 365 * DAY_MS
  let plan: SchedulePlan | undefined
  let history: { videoId: string; startsAtMs: number; endsAtMs: number }[] = []
  for (let startMs = fromMs; startMs < endMs; ) {
    const beganMs = performance.now()
    plan = planSchedule({
      document,
      library,
      playlists,
      history,
      seed: timeZone,
      state: plan?.state ?? null,
      fromMs: startMs,
      toMs: startMs + DAY_MS,
    })
    totals.cpuMs += performance.now() - beganMs
    const { programmes } = plan
    const untilMs = programmes.at(-1)?.endsAtMs ?? startMs
    totals.programmes += programmes.length
    totals.cutShort += programmes.filter(({ isCutShort }) => isCutShort).length
    totals.relaxed += programmes.filter(({ reason }) => reason.relaxed.length > 0).length
    totals.hardStarts += segmentsOf(document, startMs, untilMs).filter(
      ({ isHardStart }) => isHardStart,
    ).length
    totals.faults += faultsOf(document, library, history, programmes, startMs, untilMs).length
    const airings = programmes.flatMap(({ videoId, startsAtMs, endsAtMs }) =>
      videoId === null ? [] : [{ videoId, startsAtMs, endsAtMs }],
    )
    history = keepNeeded([...history, ...airings], untilMs)
    startMs = untilMs
  }
  return { ...totals, cpuMs: rounded(totals.cpuMs) }
}

/** The last airing of each video, and every airing of the last two days, in order. */
function keepNeeded<A extends { videoId: string; startsAtMs: number }>(history: A[], nowMs: number): A[] {
  const last = new Map(history.map((airing) => [airing.videoId, airing]))
  return history.filter(
    (airing) => airing.startsAtMs >= nowMs - HISTORY_MS || last.get(airing.videoId) === airing,
  )
}
