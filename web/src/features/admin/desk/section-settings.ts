import { useState } from 'react'

const PREFIX = 'looptide-admin:'

type Settings = Record<string, string | number | boolean>

/**
 * How an admin likes a section (sorting, filters, …), kept in this browser under a key of its own (docs/product/admin.md §3). A stored value of another type than the default's counts for nothing.
 */
export function useSectionSettings<T extends Settings>(
  section: string,
  defaults: T,
): [T, (change: Partial<T>) => void] {
  const [settings, setSettings] = useState<T>(() => readSettings(section, defaults))
  const change = (wanted: Partial<T>) => {
    const next = { ...settings, ...wanted }
    setSettings(next)
    try {
      localStorage.setItem(PREFIX + section, JSON.stringify(next))
    } catch {
      // Without storage the settings last as long as the page.
    }
  }
  return [settings, change]
}

/** Forgets the settings of all sections. */
export function clearSectionSettings(storage: Storage = localStorage): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index))
  for (const key of keys) if (key?.startsWith(PREFIX)) storage.removeItem(key)
}

function readSettings<T extends Settings>(section: string, defaults: T): T {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + section) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return defaults
    const known = Object.entries(stored).filter(([key, value]) => typeof value === typeof defaults[key])
    return { ...defaults, ...Object.fromEntries(known) }
  } catch {
    return defaults
  }
}
