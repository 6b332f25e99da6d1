import type { NowState } from '@looptide/contracts/http/channels'
import { until } from '@looptide/testkit/until'
import type { FaultHarness } from '../support/fault-harness.ts'
import { hold } from '../support/fault-table.ts'
import { getJson } from '../support/records.ts'

const REFUSED = '503 service_unavailable'

/** Fills the disk of Postgres until a chat message is refused, and for `ms` more. `/now` is answered throughout. */
export async function fillTheDisk({ station, disk, lines, load }: FaultHarness, ms: number): Promise<void> {
  try {
    disk.fill()
    await until('a message is refused', () => load.chat.refusals.includes(REFUSED), { timeoutMs: 60_000 })
    await getJson<NowState>(station.url, `/api/channels/${load.channelId}/now`)
    await hold(ms)
  } finally {
    disk.free()
  }
  // Postgres exits when it cannot write its journal; a supervisor would restart it until it can.
  await lines.postgres.backing.revive()
}
