import type { NowState } from '@looptide/contracts/http/channels'
import { until } from '@looptide/testkit/until'
import type { FaultHarness } from '../support/fault-harness.ts'
import { hold } from '../support/fault-table.ts'
import { getJson } from '../support/records.ts'

const REFUSED = '503 service_unavailable'

/** Fills the disk of Postgres until a chat message is refused, then waits `ms`. `/now` must respond throughout. */
export async function fillTheDisk({ station, disk, lines, load }: FaultHarness, ms: number): Promise<void> {
  try {
    disk.fill()
    await until('a message is refused', () => load.chat.refusals.includes(REFUSED), { timeoutMs: 60_000 })
    await getJson<NowState>(station.url, `/api/channels/${load.channelId}/now`)
    await hold(ms)
  } finally {
    disk.free()
  }
  // Postgres exits if it cannot write its WAL. A supervisor would restart it.
  await lines.postgres.backing.revive()
}
