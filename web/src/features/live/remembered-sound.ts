import { DEFAULT_VOLUME } from './player/live-state.ts'

export type SoundWish = { volume: number; muted: boolean }

const KEY = 'looptide-sound'
const DEFAULT_SOUND: SoundWish = { volume: DEFAULT_VOLUME, muted: false }

const isVolume = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1

/**
 * What was last wished for in this browser; 0.7 and not muted before that, and when what is stored makes no sense.
 * `open` may throw: a browser may keep its storage shut.
 */
export function recallSound(open: () => Pick<Storage, 'getItem'> = () => localStorage): SoundWish {
  try {
    const stored: unknown = JSON.parse(open().getItem(KEY) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return DEFAULT_SOUND
    const { volume, muted } = stored as Record<string, unknown>
    return isVolume(volume) ? { volume, muted: muted === true || volume === 0 } : DEFAULT_SOUND
  } catch {
    return DEFAULT_SOUND
  }
}

/** A browser that stores nothing begins with the default each time. */
export function rememberSound(
  wish: SoundWish,
  open: () => Pick<Storage, 'setItem'> = () => localStorage,
): void {
  try {
    open().setItem(KEY, JSON.stringify(wish))
  } catch {
    return
  }
}
