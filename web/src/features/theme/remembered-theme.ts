const KEY = 'looptide-theme'

/** Draws the root in these `--theme-*` variables. */
function apply(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (name.startsWith('--theme-')) document.documentElement.style.setProperty(name, value)
  }
}

/** Draws the page in a theme, and the next load of it from the first moment. */
export function showTheme(variables: Record<string, string>): void {
  apply(variables)
  try {
    localStorage.setItem(KEY, JSON.stringify(variables))
  } catch {
    // Without storage the next load begins in the default theme.
  }
}

/** Draws the page in the theme it had last, before the station has been asked for the present one. */
export function showRememberedTheme(): void {
  try {
    const remembered: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    if (typeof remembered === 'object' && remembered !== null) apply(remembered as Record<string, string>)
  } catch {
    // Nothing remembered, or nothing readable: the default theme it is.
  }
}
