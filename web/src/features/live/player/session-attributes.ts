import type { LiveSession } from './live-session.ts'

/**
 * Writes the state and measurements of a session to an element: `data-state`, `data-programme-id`, `data-player`,
 * `data-drift-ms`, `data-position-ms`, `data-measured-at-ms` (estimated server time of that position, epoch ms),
 * `data-wall-ms` (the same instant on the local clock), `data-seeks`, `data-rate-changes`, `data-rate`. Bypasses React,
 * to avoid four renders a second. Returns a function that stops it.
 */
export function writeSessionAttributes(element: HTMLElement, session: LiveSession): () => void {
  const write = () => {
    const state = session.state.get()
    const telemetry = session.telemetry.get()
    const measured = telemetry?.positionMs == null ? undefined : telemetry
    const values: Record<string, string | number | null | undefined> = {
      state: state.phase,
      player: state.playerKind,
      programmeId: state.selected ? undefined : state.programme?.id,
      driftMs: round(telemetry?.driftMs),
      positionMs: round(telemetry?.positionMs),
      measuredAtMs: measured && round(measured.measuredAtMs),
      wallMs: measured && round(performance.timeOrigin + measured.measuredAtLocalMs),
      rate: telemetry?.rate,
      seeks: telemetry?.seeks,
      rateChanges: telemetry?.rateChanges,
    }
    for (const [name, value] of Object.entries(values)) {
      if (value == null) delete element.dataset[name]
      else if (element.dataset[name] !== String(value)) element.dataset[name] = String(value)
    }
  }
  write()
  const stops = [session.state.subscribe(write), session.telemetry.subscribe(write)]
  return () => {
    for (const stop of stops) stop()
  }
}

function round(value: number | null | undefined): number | undefined {
  return value == null ? undefined : Math.round(value * 10) / 10
}
