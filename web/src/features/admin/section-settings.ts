import { useState } from 'react'

const PREFIX = 'looptide-admin:'

type Settings = Record<string, string | number | boolean>

/**
 * An admin's settings of a section (sorting, filters, …), stored in this browser under one key per section
 * (docs/product/admin.md §3). A stored value whose type differs from the default is ignored.
 */
export function useSectionSettings<T extends Settings>(
  section: string,
  defaults: T,
): [T, (change: Partial<T>) => void] {
  const [settings, setSettings] = useState<T>(() => readSettings(section, defaults))
  const change = (part: Partial<T>) => {
    const next = { ...settings, ...part }
    setSettings(next)
    try {
      localStorage.setItem(PREFIX + section, JSON.stringify(next))
    } catch {
      // Without storage the settings last until the page is closed.
    }
  }
  return [settings, change]
}

/** Removes the settings of all sections. */
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
