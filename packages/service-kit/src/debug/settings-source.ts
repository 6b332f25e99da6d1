import type { DebugRow, DebugSource } from './debug-report.ts'

/** Names of settings whose values are never shown. */
const SECRET_NAME = /secret|token|password|key/i

/** A process's settings. Secrets are shown as set or not set, URLs without their user, password and query. */
export const settingsSource = (config: object): DebugSource => ({
  title: 'Settings',
  read: () => rowsOf(config, ''),
})

function rowsOf(config: object, prefix: string): DebugRow[] {
  return Object.entries(config).flatMap(([name, value]: [string, unknown]): DebugRow[] => {
    const setting = prefix + name
    const isMissing = isEmpty(value)
    if (SECRET_NAME.test(name) && typeof value !== 'number' && typeof value !== 'boolean')
      return [{ setting, value: isMissing ? 'not set' : 'set (not shown)' }]
    if (isMissing) return [{ setting, value: 'not set' }]
    if (isPlainObject(value)) return rowsOf(value, `${setting}.`)
    return [{ setting, value: textOf(value) }]
  })
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value === 'object') return '(object)'
  const text = String(value)
  return text.includes('://') ? withoutCredentials(text) : text
}

function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return '(not shown)'
  const url = new URL(text)
  url.username = ''
  url.password = ''
  url.search = ''
  return url.href
}
