import type { Programme } from '@looptide/contracts/http/channels'
import { useSyncExternalStore } from 'react'
import { serverClock } from '../../lib/clients.ts'
import { clockTime } from '../../lib/time/date-locale.ts'
import { Dialog } from '../../ui/dialog.tsx'
import type { ServerStatus } from './api.ts'
import type { LivePageState } from './live-page-state.ts'
import type { LiveTelemetry } from './player/live-state.ts'
import { useConnectionQuality } from './use-connection-quality.ts'
import { useLiveTelemetry } from './use-live-session.ts'

const CONNECTION = {
  joining: 'Connecting',
  joined: 'Connected',
  down: 'Reconnecting',
} as const

const SERVER: Record<ServerStatus, string> = {
  checking: 'Checking',
  connected: 'Healthy',
  disconnected: 'Not responding',
}

const CORRECTION: Record<LiveTelemetry['phase'], string> = {
  settling: 'Measuring',
  steady: 'In sync',
  nudging: 'Adjusting speed',
  seeking: 'Seeking',
}

/** The number of programmes loaded, and until when they last. */
function bufferedText(programmes: readonly Programme[] = []): string {
  const last = programmes.at(-1)
  return last ? `${programmes.length}, until ${clockTime(last.endsAtMs)}` : '0'
}

const inMs = (value: number | null | undefined): string => {
  if (value === null || value === undefined) return '–'
  const rounded = Math.round(value)
  if (rounded === 0) return '0 ms'
  return `${rounded > 0 ? '+' : '−'}${Math.abs(rounded)} ms`
}

/** A dialog with the measurements of the synchronisation, for viewers and for support. */
export function SyncPanel({ page }: { page: LivePageState }) {
  const telemetry = useLiveTelemetry(page.session)
  const clock = useSyncExternalStore(serverClock.onChange, serverClock.estimate)
  const { connection, viewers, timeline } = page.channel
  const quality = useConnectionQuality(page)
  const rows: [name: string, value: string][] = [
    ['Connection', CONNECTION[connection]],
    ['Quality', quality],
    ['Server', SERVER[page.serverStatus]],
    ['Drift', inMs(telemetry?.driftMs)],
    ['Correction', telemetry ? `${CORRECTION[telemetry.phase]}, speed ${telemetry.rate.toFixed(3)}` : '–'],
    [
      'Clock offset',
      clock ? `${inMs(clock.offsetMs)} (± ${clock.uncertaintyMs.toFixed(0)} ms)` : 'not measured yet',
    ],
    ['Round trip', clock ? `${clock.roundTripMs.toFixed(0)} ms` : '–'],
    ['Buffered programmes', bufferedText(timeline?.programmes)],
    ['Seeks', telemetry ? String(telemetry.seeks) : '–'],
    ['Timeline version', timeline ? String(timeline.timelineVersion) : '–'],
    ['Viewers', viewers === undefined ? '–' : String(viewers)],
  ]
  return (
    <Dialog
      title="Sync"
      description="Everyone sees the same moment."
      isOpen
      onClose={page.closePanel}
      width="narrow"
    >
      <dl className="grid gap-2.5 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="flex items-baseline justify-between gap-6">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
