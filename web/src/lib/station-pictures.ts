import { useSyncExternalStore } from 'react'

/** Addresses of the pictures of the theme this page is drawn in; null where it has none. */
export type StationPictures = { logoUrl: string | null; heroBackgroundUrl: string | null }

let shown: StationPictures = { logoUrl: null, heroBackgroundUrl: null }
const listeners = new Set<() => void>()

/** For the theme: what is shown from now on. */
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
