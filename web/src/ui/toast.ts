export type Toast = {
  title: string
  description?: string
  tone?: 'plain' | 'success' | 'error'
  /** How long it stays (ms); 5,000 unless told. */
  durationMs?: number
}

const DEFAULT_DURATION_MS = 5_000

type Show = (toast: Required<Pick<Toast, 'title' | 'durationMs' | 'tone'>> & { description?: string }) => void

let show: Show | undefined
let waiting: Parameters<Show>[0][] = []

/** Tells the user something in passing; screen readers hear it as well. Kept until the toaster is there. */
export function toast({ title, description, tone = 'plain', durationMs = DEFAULT_DURATION_MS }: Toast): void {
  const entry = { title, tone, durationMs, ...(description ? { description } : {}) }
  if (show) show(entry)
  else waiting.push(entry)
}

/** For the toaster: takes over what is to be shown; answers how to let go again. */
export function showToastsWith(handler: Show): () => void {
  show = handler
  for (const entry of waiting) handler(entry)
  waiting = []
  return () => {
    if (show === handler) show = undefined
  }
}
