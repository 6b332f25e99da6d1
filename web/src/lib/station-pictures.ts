import { useSyncExternalStore } from 'react'

/** URLs of the current theme's pictures; null if it has none. */
export interface StationPictures {
  logoUrl: string | null
  heroBackgroundUrl: string | null
}

let shown: StationPictures = { logoUrl: null, heroBackgroundUrl: null }
const listeners = new Set<() => void>()

/** Sets the pictures; called when the theme changes. */
export function setStationPictures({ logoUrl, heroBackgroundUrl }: StationPictures): void {
  if (logoUrl === shown.logoUrl && heroBackgroundUrl === shown.heroBackgroundUrl) return
  shown = { logoUrl, heroBackgroundUrl }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The logo and the hero background of the station. */
export const useStationPictures = (): StationPictures => useSyncExternalStore(subscribe, () => shown)
