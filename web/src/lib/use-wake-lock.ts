import { useEffect } from 'react'
import { keepScreenAwake, type WakeLockRhythm } from './wake-lock.ts'

/** Keeps the screen awake while mounted and `isWanted`. */
export function useWakeLock(rhythm: WakeLockRhythm, isWanted = true): void {
  useEffect(() => (isWanted ? keepScreenAwake(rhythm) : undefined), [rhythm, isWanted])
}
