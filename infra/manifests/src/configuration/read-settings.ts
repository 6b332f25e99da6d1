import { type Env, EnvReader } from '@looptide/service-kit/settings/env'

/** One setting as the code reads it. */
export interface Setting {
  name: string
  /** Undefined: none; the setting is required, or its absence means something. */
  fallback: string | undefined
  /** What values are accepted, in words; empty for any text. */
  values: string
}

type Reading = Omit<Setting, 'name'>
type Method = (name: string, ...rest: never[]) => unknown

const count = (value: number): string => value.toLocaleString('en-US')
const range = ({ min, max }: { min: number; max: number }): string => `${count(min)} to ${count(max)}`

/** How a call of each method of {@link EnvReader} describes its setting. */
const READINGS: Record<string, (...rest: never[]) => Reading> = {
  optional: () => ({ fallback: undefined, values: '' }),
  string: (fallback?: string) => ({ fallback, values: '' }),
  secret: (length = 32) => ({ fallback: undefined, values: `at least ${length} characters` }),
  number: (fallback: number, bounds: { min: number; max: number }) => ({
    fallback: String(fallback),
    values: range(bounds),
  }),
  integer: (fallback: number, bounds: { min: number; max: number }) => ({
    fallback: String(fallback),
    values: range(bounds),
  }),
  choice: (choices: readonly string[], fallback: string) => ({ fallback, values: choices.join(', ') }),
  choiceBySite: (choices: readonly string[], fallbacks: { local: string; public: string }) => ({
    fallback: `${fallbacks.public}; local: ${fallbacks.local}`,
    values: choices.join(', '),
  }),
  list: (_accepts: unknown, what: string) => ({ fallback: undefined, values: what }),
  url: (fallback?: string) => ({ fallback, values: 'URL' }),
}

/**
 * The settings that `read` reads from an empty environment, by name. It records the calls of {@link EnvReader} while
 * `read` runs, so it never differs from the code. Errors about missing settings are expected and ignored.
 */
export function settingsReadBy(read: (env: Env) => unknown): Map<string, Setting> {
  const settings = new Map<string, Setting>()
  const prototype = EnvReader.prototype as unknown as Record<string, Method>
  const originals = Object.keys(READINGS).map((method) => [method, prototype[method] as Method] as const)
  let depth = 0
  for (const [method, original] of originals) {
    prototype[method] = function (this: EnvReader, name: string, ...rest: never[]) {
      // Methods call each other: only the outermost call says what the setting is.
      if (depth === 0) note(settings, name, READINGS[method]?.(...rest))
      depth += 1
      try {
        return original.call(this, name, ...rest)
      } finally {
        depth -= 1
      }
    }
  }
  try {
    read({})
  } catch {
    // A ConfigError that names the required settings.
  } finally {
    for (const [method, original] of originals) prototype[method] = original
  }
  return settings
}

/** The first reading that says more than that the setting is optional counts. */
function note(settings: Map<string, Setting>, name: string, reading: Reading | undefined): void {
  if (reading === undefined) return
  const known = settings.get(name)
  if (known !== undefined && (known.values !== '' || known.fallback !== undefined)) return
  settings.set(name, { name, ...reading, fallback: reading.fallback === '' ? undefined : reading.fallback })
}
