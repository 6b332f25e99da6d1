import type { LiveSession } from './live-session.ts'

/**
 * Writes what a session measures onto its stage: `data-state`, `data-programme-id`, `data-player`, `data-drift-ms`,
 * `data-position-ms`, `data-measured-at-ms` (server epoch ms at which that position was true, as this page knows
 * the server's clock), `data-wall-ms` (the same instant on the machine's own clock), `data-seeks`,
 * `data-rate-changes`, `data-rate`. Beside React, which need not draw anything four times a second. Returns how to
 * stop.
 */
export function writeStageAttributes(element: HTMLElement, session: LiveSession): () => void {
  const write = () => {
    const state = session.state.get()
    const figures = session.telemetry.get()
    const measured = figures?.positionMs == null ? undefined : figures
    const values: Record<string, string | number | null | undefined> = {
      state: state.phase,
      player: state.playerKind,
      programmeId: state.selected ? undefined : state.programme?.id,
      driftMs: round(figures?.driftMs),
      positionMs: round(figures?.positionMs),
      measuredAtMs: measured && round(measured.measuredAtMs),
      wallMs: measured && round(performance.timeOrigin + measured.measuredAtLocalMs),
      rate: figures?.rate,
      seeks: figures?.seeks,
      rateChanges: figures?.rateChanges,
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
