import type { Programme } from '@looptide/contracts/http/channels'
import { useSyncExternalStore } from 'react'
import { serverClock } from '../../lib/clients.ts'
import { clockTime } from '../../lib/clock-time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import type { ServerStatus } from './api.ts'
import type { LiveTelemetry } from './player/live-state.ts'
import type { LivePageState } from './use-live-page.ts'
import { useLiveTelemetry } from './use-live-session.ts'

const CONNECTION = {
  joining: 'Connecting',
  joined: 'Connected',
  down: 'Lost, trying again',
} as const

const SERVER: Record<ServerStatus, string> = {
  checking: 'Checking',
  connected: 'Healthy',
  disconnected: 'Not answering',
}

const CORRECTION: Record<LiveTelemetry['phase'], string> = {
  settling: 'Settling in',
  steady: 'In step',
  nudging: 'Catching up gently',
  seeking: 'Jumping',
}

/** How far this page could go on by itself. */
function inHand(programmes: readonly Programme[] = []): string {
  const last = programmes.at(-1)
  return last ? `${programmes.length}, until ${clockTime(last.endsAtMs)}` : '0'
}

const inMs = (value: number | null | undefined): string => {
  if (value === null || value === undefined) return '–'
  const rounded = Math.round(value)
  if (rounded === 0) return '0 ms'
  return `${rounded > 0 ? '+' : '−'}${Math.abs(rounded)} ms`
}

/** How well this page keeps the station's time, for the curious and for us. */
export function SyncPanel({ page }: { page: LivePageState }) {
  const telemetry = useLiveTelemetry(page.session)
  const clock = useSyncExternalStore(serverClock.onChange, serverClock.estimate)
  const { connection, viewers, timeline } = page.channel
  const rows: [name: string, value: string][] = [
    ['Connection', CONNECTION[connection]],
    ['Server', SERVER[page.serverStatus]],
    ['Drift from the station', inMs(telemetry?.driftMs)],
    ['Correction', telemetry ? `${CORRECTION[telemetry.phase]}, speed ${telemetry.rate.toFixed(3)}` : '–'],
    [
      'Clock offset',
      clock ? `${inMs(clock.offsetMs)} (± ${clock.uncertaintyMs.toFixed(0)} ms)` : 'not measured yet',
    ],
    ['Round trip', clock ? `${clock.roundTripMs.toFixed(0)} ms` : '–'],
    ['Buffered programmes', inHand(timeline?.programmes)],
    ['Jumps since tuning in', telemetry ? String(telemetry.seeks) : '–'],
    ['Timeline version', timeline ? String(timeline.timelineVersion) : '–'],
    ['Viewers', viewers === undefined ? '–' : String(viewers)],
  ]
  return (
    <Dialog
      title="Sync"
      description="Everybody sees the same second."
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
