/** A waiting time as text, rounded up: "42 seconds", "4 minutes", "2 hours". Switches the unit at 100. */
export function waitText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 100) return count(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 100 ? count(minutes, 'minute') : count(Math.ceil(minutes / 60), 'hour')
}

const count = (number: number, unit: string): string => `${number} ${unit}${number === 1 ? '' : 's'}`
