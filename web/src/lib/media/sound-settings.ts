export interface SoundSettings {
  volume: number
  muted: boolean
}

const KEY = 'looptide-sound'
/** Volume from 0 to 1. */
export const DEFAULT_VOLUME = 0.7

const DEFAULT_SOUND: SoundSettings = { volume: DEFAULT_VOLUME, muted: false }

const isVolume = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1

/**
 * The stored sound settings; by default, and if the stored value is invalid, 0.7 and not muted. `open` may throw: a
 * browser may deny access to its storage.
 */
export function loadSound(open: () => Pick<Storage, 'getItem'> = () => localStorage): SoundSettings {
  try {
    const stored: unknown = JSON.parse(open().getItem(KEY) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return DEFAULT_SOUND
    const { volume, muted } = stored as Record<string, unknown>
    return isVolume(volume) ? { volume, muted: muted === true || volume === 0 } : DEFAULT_SOUND
  } catch {
    return DEFAULT_SOUND
  }
}

/** Stores the sound settings, if the browser allows it. */
export function saveSound(
  settings: SoundSettings,
  open: () => Pick<Storage, 'setItem'> = () => localStorage,
): void {
  try {
    open().setItem(KEY, JSON.stringify(settings))
  } catch {
    return
  }
}
