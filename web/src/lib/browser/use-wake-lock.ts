import { useEffect } from 'react'
import { keepScreenAwake, type WakeLockOptions } from './wake-lock.ts'

/** Keeps the screen awake while mounted and `isEnabled`. */
export function useWakeLock(options: WakeLockOptions, isEnabled = true): void {
  useEffect(() => (isEnabled ? keepScreenAwake(options) : undefined), [options, isEnabled])
}
