import type { NowState } from '@looptide/contracts/http/channels'
import { until } from '@looptide/testkit/until'
import type { FaultStage } from '../support/fault-stage.ts'
import { hold } from '../support/fault-table.ts'
import { getJson } from '../support/records.ts'

const REFUSED = '503 service_unavailable'

/** The disk of Postgres is full until what is said is refused, and `ms` longer; what is on is told all the time. */
export async function fillTheDisk({ station, disk, lines, load }: FaultStage, ms: number): Promise<void> {
  try {
    disk.fill()
    await until('a message is refused', () => load.chat.refusals.includes(REFUSED), { timeoutMs: 60_000 })
    await getJson<NowState>(station.url, `/api/channels/${load.channelId}/now`)
    await hold(ms)
  } finally {
    disk.free()
  }
  // Once its journal is full as well a Postgres ends; where it is looked after it is started again until it can.
  await lines.postgres.backing.revive()
}
